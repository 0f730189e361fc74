export const words = {
  title: 'Find in files',
  text: 'Find',
  textExample: 'Text to find',
  path: 'In',
  pathExample: 'All files. Or src, or *.c',
  matchCase: 'Match case',
  wholeWord: 'Whole word',
  wildcards: 'Use * as a wildcard',
  results: 'Results',
  nothingYet: 'Type to search the text files of this workspace. Arrow keys select, Enter opens.',
  searching: 'Searching…',
  none: (files: number) => `No results in ${filesOf(files)}`,
  count: (lines: number, files: number) =>
    `${lines.toLocaleString('en')} ${lines === 1 ? 'line' : 'lines'} in ${filesOf(files)}`,
  cut: {
    lines: (lines: number) =>
      `Only the first ${lines.toLocaleString('en')} lines are shown. Narrow the search.`,
    bytes: 'Not everything was searched: there is too much text. Choose a folder.',
    time: 'Not everything was searched: it took too long. Choose a folder.',
  },
  tooLarge: (files: number) => `${filesOf(files)} above 1 MB not searched`,
  line: (line: number) => `Line ${line}`,
}

function filesOf(count: number): string {
  return count === 1 ? '1 file' : `${count.toLocaleString('en')} files`
}
