import { sizeInWords } from '../../../parts/size-words.ts'

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
  runningFile: 'Runs the file as it is stored',
  leaving: 'Esc, then Tab leaves the editor',
  frame: 'Where the script runs',
  output: {
    label: 'Output',
    none: 'What the script prints appears here.',
    failed: 'It failed.',
    inLine: (error: string, name: string, line: number) => `${error}\n  ${name}, line ${line}`,
    thisScript: 'This script',
    failedAfter: (ms: number) => `Failed after ${milliseconds(ms)}`,
    doneIn: (ms: number) => `Done in ${milliseconds(ms)}`,
    cutOff: ' (the rest is cut off)',
    notRun: 'The frame could not run it. Try again.',
    leftOut: (count: number, bytes: number) =>
      `${count === 1 ? '1 file' : `${count.toLocaleString('en')} files`} in this folder cannot be opened by the script: it has room for ${sizeInWords(bytes)}. Read them with files.read.`,
    noFolder: 'The files beside the script could not be read. Try again.',
  },
  source: {
    choose: 'Choose what to run',
    own: 'Script in this panel',
    ownHelp: 'JavaScript, stored with the panel',
    none: 'No JavaScript or Python files yet. Add one in the Files panel.',
    loading: 'Loading the file',
    gone: {
      title: 'The file is gone',
      detail: (path: string) => `There is no ${path} anymore. Choose another file.`,
    },
    notText: { title: 'This is not text', detail: (path: string) => `${path} cannot be run.` },
    tooLarge: {
      title: 'The file is too long to run',
      detail: (path: string) => `Split ${path} into several files.`,
    },
    unknown: {
      title: 'This file cannot be run',
      detail: (path: string) => `${path} is neither JavaScript (.js, .mjs) nor Python (.py).`,
    },
  },
  /** For the script. */
  files: {
    missing: (path: string) => `There is no file ${path}.`,
    notRead: (path: string) => `${path} could not be read. Try again.`,
    outside: (path: string) => `${path} is outside of the workspace.`,
    tooLarge: (path: string, bytes: number) => `${path} has more than ${sizeInWords(bytes)}.`,
    tooMuch: (bytes: number) => `A script reads ${sizeInWords(bytes)} at most.`,
    tooManyCalls: (count: number) => `A script reads and lists ${count} times at most.`,
    tooManyNames: (count: number) => `The folder has more than ${count.toLocaleString('en')} entries.`,
  },
}
