import type { Command } from 'commander'
import { outcomeOf, type RunTask, serverOption, toolBrandOption, wholeNumberOf } from '../command/options.ts'
import type { CliSurroundings } from '../terminal/surroundings.ts'
import type { BuildWords } from './build.ts'
import type { FeedAddressWords } from './feed-address.ts'
import { addKeys, addTrust } from './trust-commands.ts'
import type { VerifyLiveWords } from './verify.ts'

const AFTER_HELP = `
A repository of your own, on any web server:
  $ patchbay repo build packages --out public --name "My packages" --base-url https://example.com/packages/
  $ patchbay repo verify public
  $ patchbay repo serve public              try it on this machine
  $ patchbay repo verify-live https://example.com/packages/repository.json`

const DEFAULT_PORT = 8080

/** `patchbay repo`: for those who host repositories, and sign them. */
export function addRepo(program: Command, surroundings: CliSurroundings): void {
  const repo = program
    .command('repo')
    .description('Build, check, serve and sign repositories.')
    .addHelpText('after', AFTER_HELP)
  const run = outcomeOf(surroundings)
  addBuild(repo, run)

  repo
    .command('verify')
    .description('Check a repository folder for consistency.')
    .argument('<folder>')
    .addOption(toolBrandOption())
    .option('--json', 'print the report as JSON')
    .action(async (folder: string, words: { toolBrand?: string; json?: boolean }) => {
      await run(words, async (task) => (await import('./verify.ts')).verifyFolder(task, folder, words))
    })

  repo
    .command('verify-live')
    .description('Check every file of a published repository, as clients will download it.')
    .argument('<url>', 'of its repository.json')
    .addOption(toolBrandOption())
    .option('--api-key-variable <name>', 'the environment variable that holds its API key')
    .option('--links', 'also look at the pages that packages point to')
    .option('--concurrency <number>', 'how many files at once', wholeNumberOf(1, 64))
    .option('--json', 'print the report as JSON, with every address')
    .action(async (url: string, words: VerifyLiveWords) => {
      await run(words, async (task) => (await import('./verify.ts')).verifyPublished(task, url, words))
    })

  repo
    .command('serve')
    .description('Serve the folder of a repository on this machine, to try it out.')
    .argument('<folder>')
    .option('--port <number>', 'where; 0 takes any free one', wholeNumberOf(0, 65_535), DEFAULT_PORT)
    .option('--json', 'print the address as JSON, and no requests')
    .action(async (folder: string, words: { port: number; json?: boolean }) => {
      const { serveFolder } = await import('./serve.ts')
      await serveFolder(surroundings, folder, words)
    })

  addFeedAddresses(repo, run)
  addKeys(repo, run)
  addTrust(repo, run)
}

function addFeedAddresses(repo: Command, run: RunTask): void {
  const address = repo
    .command('feed-address')
    .description('Secret addresses of a private feed, for tools that cannot send a key.')
  const add = (name: string, description: string) =>
    address
      .command(name)
      .description(description)
      .option('--owner <handle>', 'whose feed; yours if not given')
      .addOption(serverOption())
      .option('--json', 'print the result as JSON')

  add('create', 'Create one. Anyone who has it can read all packages of the owner.')
    .argument('<label>', 'who uses it, to know which one to revoke')
    .action(async (label: string, words: FeedAddressWords) => {
      await run(words, async (task) =>
        (await import('./feed-address.ts')).createFeedAddress(task, label, words),
      )
    })
  add('list', 'Which there are; their secrets are not shown again.').action(
    async (words: FeedAddressWords) => {
      await run(words, async (task) => (await import('./feed-address.ts')).listFeedAddresses(task, words))
    },
  )
  add('revoke', 'End one at once.')
    .argument('<id>', 'as the list shows it')
    .action(async (id: string, words: FeedAddressWords) => {
      await run(words, async (task) => (await import('./feed-address.ts')).revokeFeedAddress(task, id, words))
    })
}

function addBuild(repo: Command, run: RunTask): void {
  repo
    .command('build')
    .description('Build a repository from archives and package folders. The same input gives the same bytes.')
    .argument('<folder>', 'holds *.zip and package folders, also in folders below')
    .requiredOption('--out <folder>', 'where the repository goes; an earlier one there is continued')
    .requiredOption('--name <text>', 'what tools call it')
    .requiredOption('--base-url <url>', 'where the output will be found')
    .option('--maintainer <name>', 'the name of the maintainer')
    .option('--contact <key=value...>', 'how to reach the maintainer')
    .addOption(toolBrandOption())
    .option('--keys <folder>', 'sign with the keys of this folder (see "repo keys create")')
    .option('--trust <folder>', 'where the roots are; <keys>/trust if not given')
    .option('--lifetime-days <number>', 'how long signatures hold', wholeNumberOf(1, 3650))
    .option('--allow-replaced', 'take other bytes for a version that was published')
    .option('--allow-empty', 'take an empty folder: all that was published goes')
    .option('--json', 'print the result as JSON')
    .action(async (folder: string, words: BuildWords) => {
      await run(words, async (task) => (await import('./build.ts')).buildFrom(task, folder, words))
    })
}
