import { type Command, Option } from 'commander'
import { outcomeOf, serverOption, wholeNumberOf } from '../command/options.ts'
import type { CliSurroundings } from '../terminal/surroundings.ts'
import { reasonOption, WORKSPACE_MEANING } from '../workspace/options.ts'

interface Words {
  readonly server?: string
  readonly json?: boolean
}

interface SearchWords {
  readonly path?: string
  readonly caseSensitive?: boolean
  readonly word?: boolean
  readonly wildcards?: boolean
  readonly limit?: number
}

const AFTER_HELP = `
A project on this disk and in a workspace:
  $ patchbay files clone ada/board
  $ cd board
  $ patchbay files push --reason "First firmware"
  $ patchbay files pull
  $ patchbay files watch

Single files:
  $ patchbay files put ada/board build/firmware.bin release/
  $ patchbay files cat ada/board src/main.c
  $ patchbay files search ada/board HAL_Init --path "*.c"
  $ patchbay files restore ada/board src/main.c --revision 12`

const revisionOption = (meaning: string) =>
  new Option('--revision <number>', meaning).argParser(wholeNumberOf(0, 9_999_999_999))
const FILE_MEANING = 'a path in the workspace, such as src/main.c'
const STOPPED = 'What had arrived whole stays; run it again to go on.'

/** `patchbay files`: what a workspace holds. */
export function addFiles(program: Command, surroundings: CliSurroundings): void {
  const files = program
    .command('files')
    .description('Work with the files of a workspace.')
    .addHelpText('after', AFTER_HELP)
  const run = outcomeOf(surroundings)

  files.commandsGroup('A working copy:')
  files
    .command('clone')
    .description('Make a folder with all files of a workspace.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('[folder]', 'where to; the name of the repository, if not given')
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (text: string, folder: string | undefined, words: Words) => {
      await run(words, async (task) => (await import('./sync.ts')).clone(task, text, folder, words), {
        whenStopped: STOPPED,
      })
    })
  files
    .command('status')
    .description('Show what was changed in this folder, and what in the workspace.')
    .option('--json', 'print it as JSON')
    .action(async (words: Words) => {
      await run(words, async (task) => (await import('./sync.ts')).status(task))
    })
  files
    .command('pull')
    .description('Fetch what was changed in the workspace. What you changed is kept.')
    .option('--json', 'print the result as JSON')
    .action(async (words: Words) => {
      await run(words, async (task) => (await import('./sync.ts')).pull(task), { whenStopped: STOPPED })
    })
  files
    .command('push')
    .description('Send what you changed, in one step.')
    .addOption(reasonOption())
    .option('--json', 'print the result as JSON')
    .action(async (words: Words & { reason?: string }) => {
      await run(words, async (task) => (await import('./sync.ts')).push(task, words))
    })
  files
    .command('watch')
    .description('Keep this folder and the workspace the same, until you end it.')
    .action(async () => {
      await run({}, async (task) => (await import('./sync.ts')).watch(task), {
        whenStopped: 'Run it again to go on.',
      })
    })

  files.commandsGroup('From and to elsewhere:')
  files
    .command('export')
    .description('Write all files into a new folder, or a Git repository with their history.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('<folder>', 'where to; empty, or not there yet')
    .option('--git', 'a Git repository with one commit for each change')
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (text: string, folder: string, words: Words & { git?: boolean }) => {
      await run(words, async (task) => (await import('./export.ts')).exportFiles(task, text, folder, words), {
        whenStopped: 'The folder was deleted again.',
      })
    })
  files
    .command('import')
    .description('Bring in a folder as one change, or a Git checkout with its history.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('<folder>', 'a folder of yours; of a Git checkout, what is committed')
    .option('--into <path>', 'a new folder in the workspace; its top, if not given')
    .addOption(reasonOption())
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (text: string, folder: string, words: Words & { into?: string; reason?: string }) => {
      await run(words, async (task) => (await import('./import.ts')).importFiles(task, text, folder, words), {
        whenStopped: 'What was imported so far stays in the workspace.',
      })
    })

  files.commandsGroup('Single files:')
  files
    .command('ls')
    .description('List the files and folders in a folder.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('[path]', 'a folder of the workspace; the whole, if not given')
    .option('-r, --recursive', 'also what is in its folders')
    .addOption(serverOption())
    .option('--json', 'print them as JSON')
    .action(async (text: string, path: string | undefined, words: Words & { recursive?: boolean }) => {
      await run(words, async (task) => (await import('./files.ts')).list(task, text, path, words))
    })
  files
    .command('cat')
    .description('Print a file, or write it to one of yours.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('<path>', FILE_MEANING)
    .addOption(revisionOption('as it was after this change'))
    .option('-o, --output <file>', 'where to write it')
    .option('--force', 'replace a file of yours')
    .addOption(serverOption())
    .action(
      async (
        text: string,
        path: string,
        words: Words & { revision?: number; output?: string; force?: boolean },
      ) => {
        await run({}, async (task) => (await import('./files.ts')).cat(task, text, path, words))
      },
    )
  files
    .command('put')
    .description('Put a file of yours into the workspace.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('<file>', 'a file of yours')
    .argument('[path]', 'where to: a path, or a folder with a slash at its end')
    .option('--replace', 'also if there is one')
    .addOption(reasonOption())
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(
      async (
        text: string,
        file: string,
        path: string | undefined,
        words: Words & { replace?: boolean; reason?: string },
      ) => {
        await run(words, async (task) => (await import('./files.ts')).put(task, text, file, path, words))
      },
    )
  files
    .command('search')
    .description('Find lines in the text files of a workspace.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('<text>', 'what a line must hold')
    .option('--path <pattern>', 'only in a file, a folder, or what fits a pattern such as "*.c"')
    .option('--case-sensitive', 'tell upper and lower case apart')
    .option('--word', 'whole words only')
    .option('--wildcards', 'a * in the text stands for anything')
    .addOption(
      new Option('--limit <number>', 'how many lines; 200 if not given').argParser(wholeNumberOf(1, 1_000)),
    )
    .addOption(serverOption())
    .option('--json', 'print them as JSON')
    .action(async (text: string, wanted: string, words: Words & SearchWords) => {
      await run(words, async (task) => (await import('./search.ts')).search(task, text, wanted, words))
    })
  files
    .command('rm')
    .description('Delete a file or a folder. History keeps it.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('<path>', FILE_MEANING)
    .addOption(reasonOption())
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (text: string, path: string, words: Words & { reason?: string }) => {
      await run(words, async (task) => (await import('./files.ts')).remove(task, text, path, words))
    })
  files
    .command('mv')
    .description('Move or rename a file or a folder.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('<from>', FILE_MEANING)
    .argument('<to>', 'its new path, or a folder with a slash at its end')
    .addOption(reasonOption())
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (text: string, from: string, to: string, words: Words & { reason?: string }) => {
      await run(words, async (task) => (await import('./files.ts')).move(task, text, from, to, words))
    })
  files
    .command('history')
    .description('List the changes, of everything or of one file.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('[path]', FILE_MEANING)
    .addOption(
      new Option('--limit <number>', 'how many; 50 if not given').argParser(wholeNumberOf(1, 100_000)),
    )
    .addOption(serverOption())
    .option('--json', 'print them as JSON')
    .action(async (text: string, path: string | undefined, words: Words & { limit?: number }) => {
      await run(words, async (task) => (await import('./files.ts')).history(task, text, path, words))
    })
  files
    .command('restore')
    .description('Make a file, or everything, what it was after a change.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('[path]', FILE_MEANING)
    .addOption(revisionOption('of the change, as history lists it').makeOptionMandatory())
    .option('--all', 'everything')
    .addOption(reasonOption())
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(
      async (
        text: string,
        path: string | undefined,
        words: Words & { revision: number; all?: boolean; reason?: string },
      ) => {
        await run(words, async (task) => (await import('./files.ts')).restore(task, text, path, words))
      },
    )
}
