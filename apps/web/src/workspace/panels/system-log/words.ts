const lines = (count: number) => (count === 1 ? '1 line' : `${count.toLocaleString('en')} lines`)

/** What the system log says around its lines. */
export const words = {
  bar: 'System log',
  filter: 'Show',
  filters: {
    all: 'Everything',
    agents: 'Agents',
    console: 'Consoles',
    problems: 'Problems',
  },
  search: 'Search the log',
  searchExample: 'Search',
  follow: 'Follow the latest line',
  copy: 'Copy the log',
  copied: (count: number) => `${lines(count)} copied`,
  notCopied: 'Could not access the clipboard',
  clear: 'Clear this view',
  none: 'No activity yet. What people, scripts and agents do in this workspace appears here.',
  noneFound: 'Nothing to show with this filter.',
  lines,
  missed: (count: number) => `${count} new below`,
  times: (count: number) => `${count} times`,
  sources: {
    agent: 'Agent',
    console: 'Console',
    workspace: 'Workspace',
  },
  levels: {
    debug: '',
    info: '',
    warn: 'Warning: ',
    error: 'Error: ',
  },
}
