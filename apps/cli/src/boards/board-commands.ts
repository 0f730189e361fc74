import { type Command, Option } from 'commander'
import { outcomeOf, serverOption, wholeNumberOf } from '../command/options.ts'
import type { CliSurroundings } from '../terminal/surroundings.ts'
import { reasonOption, WORKSPACE_MEANING } from '../workspace/options.ts'
import { EXPORTS, type ExportKind, SIDES, type Side } from './kinds.ts'

interface Words {
  readonly server?: string
  readonly json?: boolean
  readonly timeout?: number
}

interface FileWords extends Words {
  readonly output?: string
  readonly force?: boolean
}

const PATH_MEANING = 'a .kicad_sch, .kicad_pcb or .kicad_pro of the workspace'
const MOST_SECONDS = 3_600
const MOST_PX = 4_096
const FEWEST_PX = 64

const AFTER_HELP = `
Rules, a picture, and files for the manufacturer:
  $ patchbay board check ada/board hw/lamp.kicad_sch
  $ patchbay board render ada/board hw/lamp.kicad_pcb --output lamp.png
  $ patchbay board export ada/board hw/lamp.kicad_pcb --as gerbers --output lamp.zip`

const timeoutOption = () =>
  new Option('--timeout <seconds>', 'how long to wait for KiCad; 300, if not given').argParser(
    wholeNumberOf(1, MOST_SECONDS),
  )

/** `patchbay board`: KiCad on the schematics and boards of a workspace. */
export function addBoards(program: Command, surroundings: CliSurroundings): void {
  const boards = program
    .command('board')
    .description('Check, draw and export boards with KiCad.')
    .addHelpText('after', AFTER_HELP)
  const run = outcomeOf(surroundings)
  const whenStopped = 'KiCad stops too, unless somebody else waits for the same.'

  boards
    .command('check')
    .summary('Check the rules of a schematic (ERC) or a board (DRC).')
    .description(
      'Check the rules of a schematic (ERC) or a board (DRC), of a project both. The exit code is 1 when there are errors.',
    )
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('<path>', PATH_MEANING)
    .addOption(timeoutOption())
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (text: string, path: string, words: Words) => {
      await run(words, async (task) => (await import('./boards.ts')).check(task, text, path, words), {
        whenStopped,
      })
    })
  boards
    .command('render')
    .summary('Draw a sheet of a schematic (SVG), or a board (PNG).')
    .description('Draw a sheet of a schematic as SVG, or a board as PNG, to standard output or into a file.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('<path>', PATH_MEANING)
    .option('--sheet <name>', 'which sheet, such as /power/; the first, if not given')
    .addOption(new Option('--side <side>', 'of the board; top, if not given').choices([...SIDES]))
    .addOption(
      new Option('--width <pixels>', 'of the picture of a board').argParser(
        wholeNumberOf(FEWEST_PX, MOST_PX),
      ),
    )
    .addOption(
      new Option('--height <pixels>', 'of the picture of a board').argParser(
        wholeNumberOf(FEWEST_PX, MOST_PX),
      ),
    )
    .option('--output <file>', 'write it there')
    .option('--force', 'replace that file')
    .addOption(timeoutOption())
    .addOption(serverOption())
    .option('--json', 'print where it was written as JSON')
    .action(
      async (
        text: string,
        path: string,
        words: FileWords & { sheet?: string; side?: Side; width?: number; height?: number },
      ) => {
        await run(words, async (task) => (await import('./boards.ts')).render(task, text, path, words), {
          whenStopped,
        })
      },
    )
  boards
    .command('export')
    .description('Export a schematic or a board, to standard output or into a file.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('<path>', PATH_MEANING)
    .addOption(new Option('--as <kind>', 'what to make').choices([...EXPORTS]).makeOptionMandatory())
    .option('--output <file>', 'write it there')
    .option('--force', 'replace that file')
    .addOption(timeoutOption())
    .addOption(serverOption())
    .option('--json', 'print where it was written as JSON')
    .action(async (text: string, path: string, words: FileWords & { as: ExportKind }) => {
      await run(words, async (task) => (await import('./boards.ts')).exportBoard(task, text, path, words), {
        whenStopped,
      })
    })
  addLibraries(boards, run)
}

function addLibraries(boards: Command, run: ReturnType<typeof outcomeOf>): void {
  const libraries = boards
    .command('libraries')
    .description('Packages of symbols, footprints and 3D models that KiCad finds in a workspace.')

  libraries
    .command('list')
    .description('List the libraries of a workspace with their versions.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .addOption(serverOption())
    .option('--json', 'print them as JSON')
    .action(async (text: string, words: Words) => {
      await run(words, async (task) => (await import('./libraries.ts')).listLibraries(task, text, words))
    })
  libraries
    .command('add')
    .description('Add a library of the registry, or change its version.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('<package>', 'com.example.lamps, or com.example.lamps@1.2.0 for one version')
    .addOption(reasonOption())
    .addOption(serverOption())
    .option('--json', 'print it as JSON')
    .action(async (text: string, named: string, words: Words & { reason?: string }) => {
      await run(words, async (task) => (await import('./libraries.ts')).addLibrary(task, text, named, words))
    })
  libraries
    .command('remove')
    .description('Remove a library. Symbols that were placed stay in their schematics.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('<package>', 'such as com.example.lamps')
    .addOption(reasonOption())
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (text: string, identifier: string, words: Words & { reason?: string }) => {
      await run(words, async (task) =>
        (await import('./libraries.ts')).removeLibrary(task, text, identifier, words),
      )
    })
}
