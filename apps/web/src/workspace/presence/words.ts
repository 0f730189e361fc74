export const words = {
  title: 'People here',
  here: (count: number) => `People here: ${count}`,
  nobody: 'Nobody else is here.',
  /** Somebody and the panel that they use. */
  at: (name: string, panel: string) => `${name} — ${panel}`,
  more: (count: number) => `+${count}`,
  noPanel: 'No panel',
  away: 'Away',
  windows: (count: number) => `${count} windows`,
  agentOf: (handle: string) => `Agent of ${handle}`,
  followsYou: (name: string) => `${name} is following you`,
  followsSomebody: (name: string) => `Following ${name}`,
  you: 'you',
  follow: 'Follow',
  followPerson: (name: string) => `Follow ${name}`,
  stop: 'Stop',
  stopFollowing: (name: string) => `Stop following ${name}`,
  following: (name: string) => `Following ${name}`,
  left: {
    person: (name: string) => `${name} left the workspace`,
    agent: (name: string) => `${name} is no longer active`,
  },
  /** For screen readers, on a tab. */
  onTab: (names: readonly string[]) =>
    `${new Intl.ListFormat('en').format(names)} ${names.length === 1 ? 'is' : 'are'} here`,
  palette: 'People',
  also: 'people presence watch join',
}
