import { type Command, Option } from 'commander'
import { type RunTask, serverOption, wholeNumberOf } from '../command/options.ts'
import { WORKSPACE_MEANING } from './options.ts'
import type { ShareWords } from './share.ts'

interface Words {
  readonly server?: string
  readonly json?: boolean
}

// The values of the contract, without loading what describes the whole wire.
const ROLES = ['viewer', 'editor']
const MOST_DAYS = 30
const MOST_USES = 100

const AFTER_HELP = `
Somebody who has an account, and a link for whoever has none yet:
  $ patchbay workspace share ada/board grace --role editor
  $ patchbay workspace share ada/board --link --days 3 --uses 5`

/** Who else may see a workspace. */
export function addSharing(workspaces: Command, run: RunTask): void {
  workspaces
    .command('share')
    .description('Share a workspace with a person, or make a link that lets people in.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('[handle]', 'the person; without one, --link makes a link')
    .addOption(
      new Option('--role <role>', 'viewers look, editors also change things')
        .choices(ROLES)
        .default('viewer'),
    )
    .option('--link', 'make a link; it is printed once')
    .addOption(
      new Option('--days <number>', 'how long the link works')
        .argParser(wholeNumberOf(1, MOST_DAYS))
        .default(7),
    )
    .addOption(
      new Option('--uses <number>', 'how many people the link lets in')
        .argParser(wholeNumberOf(1, MOST_USES))
        .default(1),
    )
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .addHelpText('after', AFTER_HELP)
    .action(async (text: string, handle: string | undefined, words: Words & ShareWords) => {
      await run(words, async (task) => (await import('./share.ts')).shareWorkspace(task, text, handle, words))
    })

  workspaces
    .command('members')
    .description('List who a workspace is shared with, and the links that work.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .addOption(serverOption())
    .option('--json', 'print them as JSON')
    .action(async (text: string, words: Words) => {
      await run(words, async (task) => (await import('./share.ts')).listMembers(task, text, words))
    })

  workspaces
    .command('unshare')
    .description('Remove a person from a workspace, or end a link. With your own handle you leave.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('<who>', 'a handle, or the id of a link')
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (text: string, who: string, words: Words) => {
      await run(words, async (task) => (await import('./share.ts')).unshareWorkspace(task, text, who, words))
    })

  workspaces
    .command('join')
    .description('Join a workspace with an invitation link.')
    .argument('<link>', 'the whole link, in quotes')
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (link: string, words: Words) => {
      await run(words, async (task) => (await import('./share.ts')).joinWorkspace(task, link, words))
    })

  workspaces
    .command('shared')
    .description('List the workspaces that others share with you.')
    .addOption(serverOption())
    .option('--json', 'print them as JSON')
    .action(async (words: Words) => {
      await run(words, async (task) => (await import('./share.ts')).listShared(task, words))
    })
}
