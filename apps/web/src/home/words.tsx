import type { ReactNode } from 'react'

/** What the home page says. */
export const words = {
  signedIn: {
    title: (name: string) => `Welcome, ${name}`,
    lead: 'Your workspaces, and what to try next.',
    loading: 'Loading your workspaces',
  },
  hero: {
    heading: 'Plug your tools into the hardware workspace',
    lead: 'Patchbay is the extension platform for browser-based hardware design. It gives plugins, sign-ins, scripts and screenshots one dependable place to connect, on a server you run yourself.',
    services: 'See the five services',
    reference: 'Documentation',
  },
  patchPanel: {
    caption: (patches: string) => `Who plugs into what. ${patches}`,
    patch: (who: string, service: string) => `${who}: ${service}.`,
    script: 'Script or agent',
    author: 'Plugin author',
    picture: 'Pasted picture',
    host: 'Short-lived host',
    commandLine: 'Command line',
  },
  services: {
    heading: 'Five services, one panel',
    lead: 'Each works on its own. The light shows whether it is running here.',
  },
  service: {
    users: 'For',
    checking: 'Checking',
    notAnswering: 'Not answering',
    running: 'Running',
    notRunning: 'Not running',
    ownProgram: 'A program of its own',
    seen: (programs: readonly string[]) => `Seen by this server: ${programs.join(' and ')}`,
    start: (program: string, command: ReactNode) => (
      <>
        The {program} is not running. Start it with {command}
      </>
    ),
  },
  needs: {
    heading: 'What you need to run it',
    list: [
      { name: 'PostgreSQL 15+', text: 'Holds everything that must outlive a restart.' },
      { name: 'Redis 7 or Valkey 8', text: 'Only when more than one node shares the work.' },
      { name: 'A folder or S3', text: 'Keeps archives, icons and screenshots.' },
    ],
  },
}
