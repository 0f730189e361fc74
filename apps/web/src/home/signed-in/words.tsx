import type { ReactNode } from 'react'
import { countOf } from '../../time/words.ts'

/** What the home page says to somebody who is signed in. */
export const words = {
  loading: 'Loading your workspaces',
  recent: {
    title: 'Recent workspaces',
    lead: 'Yours, those of your organizations, and those shared with you.',
    all: 'All workspaces',
    empty: 'Empty',
    panels: (count: number) => countOf(count, 'panel'),
    changed: (when: ReactNode) => <>Changed {when}</>,
  },
  sample: {
    title: 'Start with a sample',
    text: 'A night lamp: its schematic, a script that shows what it does, and notes. It is yours: change what you like, and delete it when you are done.',
    open: 'Open the sample workspace',
    own: 'Create your own',
  },
  steps: {
    title: 'Get started',
    count: (done: number, all: number) => `${done} of ${all} done`,
    hide: 'Hide',
    done: 'Done',
    names: {
      workspace: 'Open a workspace',
      device: 'Connect a device',
      command: 'Install the command line',
      package: 'Publish a package',
      agent: 'Connect an agent',
    },
    texts: {
      workspace:
        'Panels for schematics, boards, code and devices, side by side, shared with whoever you invite.',
      device:
        'Anything that speaks MQTT. Press Ctrl+K in a workspace and choose Devices, or add a simulated one.',
      command: 'Files, devices, boards and packages from your terminal, and from scripts.',
      package: 'Symbols, footprints, plugins and themes that design tools install from this server.',
      agent: 'Give it an API key for one workspace. You see what it does, and can stop it.',
    },
    ways: {
      workspace: 'Workspaces',
      device: 'Choose a workspace',
      command: 'In your terminal',
      package: 'Your packages',
      agent: 'Create an API key',
    },
  },
  news: {
    title: 'What’s new',
    lead: 'The latest additions to Patchbay.',
    items: [
      {
        title: 'Schematics and boards.',
        text: 'Edit KiCad schematics together, look at boards in 3D, and let KiCad check both.',
      },
      {
        title: 'Libraries from packages.',
        text: 'Add a library package to a workspace and place its symbols.',
      },
      {
        title: 'Devices.',
        text: 'Panels that show and command hardware, with recording and replay.',
      },
      {
        title: 'Trusted publishing.',
        text: 'GitHub Actions and GitLab CI publish packages without a stored key.',
      },
    ],
  },
}
