const milliseconds = (ms: number) => `${ms.toLocaleString('en')} ms`

/** What the script runner says. */
export const words = {
  bar: 'Script runner',
  run: 'Run',
  stop: 'Stop',
  longestRun: 'Longest run',
  seconds: (count: number) => (count === 1 ? '1 second' : `${count} seconds`),
  clear: 'Clear the output',
  running: 'Ctrl+Enter runs it',
  leaving: 'Esc, then Tab leaves the editor',
  frame: 'Where the script runs',
  output: {
    label: 'Output',
    none: 'What the script prints appears here.',
    failed: 'It failed.',
    failedAfter: (ms: number) => `Failed after ${milliseconds(ms)}`,
    doneIn: (ms: number) => `Done in ${milliseconds(ms)}`,
    cutOff: ' (the rest is cut off)',
    notRun: 'The frame could not run it. Try again.',
  },
}
