import type { MakeOptions } from '@patchbay/client/workspaces'
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { outcomeOf, type RunTask, serverOption, wholeNumberOf } from '../command/options.ts'
import type { CliSurroundings } from '../terminal/surroundings.ts'
import type { AddWords } from './add.ts'
import type { ChangeWords, MoveWords } from './change-tab.ts'
import { directionOption, reasonOption, TAB_MEANING, WORKSPACE_MEANING } from './options.ts'
import { addPanel } from './panel-commands.ts'
import { addScreenshot } from './screenshot-command.ts'
import { addSharing } from './share-commands.ts'

interface Words {
  readonly server?: string
  readonly json?: boolean
}

const AFTER_HELP = `
A tab is named by its id, the beginning of it, its title, or its kind where there is one of it.

A workspace from nothing:
  $ patchbay workspace make ada/board
  $ patchbay workspace add ada/board webview --url https://example.com --title Docs
  $ patchbay workspace add ada/board sandbox --split right
  $ patchbay workspace show ada/board
  $ patchbay panel eval ada/board sandbox '6 * 7'
  $ patchbay screenshot ada/board --panel Docs`

/** `patchbay workspace`, `panel` and `screenshot`: what is open beside each other, and what it does. */
export function addWorkspaces(program: Command, surroundings: CliSurroundings): void {
  const workspaces = program
    .command('workspace')
    .description('Arrange a workspace, and share it.')
    .addHelpText('after', AFTER_HELP)
  const run = outcomeOf(surroundings)
  addWhole(workspaces, run)
  addTabs(workspaces, run)
  addLayout(workspaces, run)
  addSharing(workspaces, run)
  addPanel(program, run)
  addScreenshot(program, run)
}

const TEMPLATES: NonNullable<MakeOptions['template']>[] = ['sample', 'board-bring-up', 'robot', 'course']

function addWhole(workspaces: Command, run: RunTask): void {
  workspaces
    .command('list')
    .description('List the workspaces of an owner.')
    .argument('[owner]', 'a person or organization; you, if not given')
    .addOption(serverOption())
    .option('--json', 'print them as JSON')
    .action(async (owner: string | undefined, words: Words) => {
      await run(words, async (task) => (await import('./show.ts')).listWorkspaces(task, owner, words))
    })

  workspaces
    .command('make')
    .description('Create a workspace. An existing one is left unchanged.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .addOption(
      new Option('--template <name>', 'the panels and files to start with; none, if not given').choices(
        TEMPLATES,
      ),
    )
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (text: string, words: Words & MakeOptions) => {
      await run(words, async (task) => (await import('./show.ts')).makeWorkspace(task, text, words))
    })

  workspaces
    .command('show')
    .description('Show the layout, the tabs with their ids, and what they show.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .addOption(serverOption())
    .option('--json', 'print it as JSON')
    .action(async (text: string, words: Words) => {
      await run(words, async (task) => (await import('./show.ts')).showWorkspace(task, text, words))
    })

  workspaces
    .command('panels')
    .description('List the panels that a workspace can hold, by category.')
    .option('--owner <handle>', 'also those that this owner has added')
    .addOption(serverOption())
    .option('--json', 'print them as JSON')
    .action(async (words: Words & { owner?: string }) => {
      await run(words, async (task) => (await import('./catalog.ts')).listPanels(task, words))
    })

  workspaces
    .command('remove')
    .description('Move a workspace to the trash, where it stays for 30 days.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .option('--yes', 'also if it has tabs')
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (text: string, words: Words & { yes?: boolean }) => {
      await run(words, async (task) => (await import('./show.ts')).removeWorkspace(task, text, words))
    })

  workspaces
    .command('trash')
    .description('List the workspaces that were deleted in the last 30 days.')
    .argument('[owner]', 'a person or organization; you, if not given')
    .addOption(serverOption())
    .option('--json', 'print them as JSON')
    .action(async (owner: string | undefined, words: Words) => {
      await run(words, async (task) => (await import('./trash.ts')).listTrash(task, owner, words))
    })

  workspaces
    .command('restore')
    .description('Restore a workspace from the trash, the last one deleted of this name.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .option('--as <repo>', 'under another name')
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (text: string, words: Words & { as?: string }) => {
      await run(words, async (task) => (await import('./trash.ts')).restoreWorkspace(task, text, words))
    })

  workspaces
    .command('purge')
    .description('Delete a workspace in the trash for good, the last one deleted of this name.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .option('--yes', 'it cannot be restored after this')
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (text: string, words: Words & { yes?: boolean }) => {
      await run(words, async (task) => (await import('./trash.ts')).purgeWorkspace(task, text, words))
    })
}

function addTabs(workspaces: Command, run: RunTask): void {
  workspaces
    .command('add')
    .description('Add a tab.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('<kind>', 'a kind of panel, such as webview, or the id of one in the catalog')
    .option(
      '--panel <panel>',
      'into or beside which panel: its id, or one of its tabs; the first, if not given',
    )
    .addOption(directionOption('in a new panel at this side of --panel, or of the workspace'))
    .option('--title <text>', 'of the tab; the name of the panel, if not given')
    .option('--icon <name>', 'such as globe')
    .option('--url <url>', 'the page that a web view shows')
    .option('--state <json>', 'what it shows, for other kinds')
    .option('--background', 'leave what is in front there')
    .addOption(reasonOption())
    .addOption(serverOption())
    .option('--json', 'print the ids as JSON')
    .action(async (text: string, kind: string, words: Words & AddWords) => {
      await run(words, async (task) => (await import('./add.ts')).addTab(task, text, kind, words))
    })

  const change = (name: string, meaning: string) =>
    workspaces
      .command(name)
      .description(meaning)
      .argument('<workspace>', WORKSPACE_MEANING)
      .argument('<tab>', TAB_MEANING)
      .addOption(serverOption())
      .option('--json', 'print the result as JSON')

  change('activate', 'Bring a tab to the front of its panel.')
    .addOption(reasonOption())
    .action(async (text: string, tab: string, words: Words & ChangeWords) => {
      await run(words, async (task) => (await import('./change-tab.ts')).activateTab(task, text, tab, words))
    })

  change('rename', 'Give a tab another title.')
    .argument('<title>')
    .option('--icon <name>', 'such as globe')
    .addOption(reasonOption())
    .action(
      async (text: string, tab: string, title: string, words: Words & ChangeWords & { icon?: string }) => {
        await run(words, async (task) =>
          (await import('./change-tab.ts')).renameTab(task, text, tab, title, words),
        )
      },
    )

  change('move', 'Move a tab to another panel, to another place in its own, or into a new one.')
    .option('--to <panel>', 'the panel: its id, or one of its tabs')
    .addOption(
      new Option('--index <number>', 'its place among the tabs there, from 0').argParser(
        wholeNumberOf(0, 1000),
      ),
    )
    .addOption(directionOption('into a new panel at this side of --to, or of the workspace'))
    .addOption(reasonOption())
    .action(async (text: string, tab: string, words: Words & MoveWords) => {
      await run(words, async (task) => (await import('./change-tab.ts')).moveTab(task, text, tab, words))
    })

  change('close', 'Close a tab. It can be reopened for 30 days.').action(
    async (text: string, tab: string, words: Words) => {
      await run(words, async (task) => (await import('./change-tab.ts')).closeTab(task, text, tab, words))
    },
  )

  workspaces
    .command('closed')
    .description('List the tabs that were closed in the last 30 days.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .addOption(serverOption())
    .option('--json', 'print them as JSON')
    .action(async (text: string, words: Words) => {
      await run(words, async (task) => (await import('./closed-tabs.ts')).listClosedTabs(task, text, words))
    })

  workspaces
    .command('reopen')
    .description('Reopen a closed tab with what it showed.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('[tab]', 'its id, the beginning of it, or its title; the last one closed, if not given')
    .addOption(reasonOption())
    .addOption(serverOption())
    .option('--json', 'print the ids as JSON')
    .action(async (text: string, tab: string | undefined, words: Words & ChangeWords) => {
      await run(words, async (task) => (await import('./closed-tabs.ts')).reopenTab(task, text, tab, words))
    })
}

function addLayout(workspaces: Command, run: RunTask): void {
  workspaces
    .command('resize')
    .description('Set the sizes of the parts of a split, in any unit.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('<split>', 'its id, or the beginning of it')
    .addArgument(new Argument('<sizes...>', 'one for each part, such as 2 1').argParser(collectSizes))
    .addOption(reasonOption())
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (text: string, split: string, sizes: number[], words: Words & ChangeWords) => {
      await run(words, async (task) =>
        (await import('./change-tab.ts')).resizeSplit(task, text, split, sizes, words),
      )
    })

  workspaces
    .command('export')
    .description('Write the layout to a file, or to standard output.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('[file]', 'the file; none is overwritten')
    .option('--force', 'overwrite it all the same')
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (text: string, file: string | undefined, words: Words & { force?: boolean }) => {
      await run(words, async (task) => (await import('./transfer.ts')).exportLayout(task, text, file, words))
    })

  workspaces
    .command('import')
    .description('Replace the whole layout, unless someone changes it in the meantime.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('<file>', 'what "workspace export" wrote')
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (text: string, file: string, words: Words) => {
      await run(words, async (task) => (await import('./transfer.ts')).importLayout(task, text, file, words))
    })
}

function collectSizes(text: string, before: number[] | undefined): number[] {
  const size = /^\d{1,7}(?:\.\d{1,6})?$/.test(text) ? Number(text) : 0
  if (size <= 0) throw new InvalidArgumentError('Sizes are numbers above 0, such as 2 and 1.')
  return [...(before ?? []), size]
}
