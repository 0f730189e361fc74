import { PACKAGE_TYPES, VERSION_STATUSES, type VersionStatus } from '@patchbay/package-format'
import { Argument, type Command, Option } from 'commander'
import { outcomeOf, serverOption, toolBrandOption } from '../command/options.ts'
import type { CliSurroundings } from '../terminal/surroundings.ts'
import type { YankWords } from './change.ts'
import type { InitWords } from './init-words.ts'
import type { PublishWords } from './publish.ts'

const AFTER_HELP = `
A package from nothing:
  $ patchbay package init blinky --identifier com.example.blinky
  $ patchbay package validate blinky
  $ patchbay package pack blinky
  $ patchbay package publish blinky`

/** `patchbay package`: for those who make packages. What does the work is loaded when it is asked for. */
export function addPackage(program: Command, surroundings: CliSurroundings): void {
  const packages = program
    .command('package')
    .description('Create, check and publish packages.')
    .addHelpText('after', AFTER_HELP)
  const run = outcomeOf(surroundings)

  packages
    .command('init')
    .description('Start a new package: metadata, folders, an icon and a README. Overwrites nothing.')
    .argument('[folder]', 'where; made when it is not there', '.')
    .option('--identifier <text>', 'such as com.example.blinky; it never changes')
    .option('--name <text>', 'the display name')
    .option('--description <text>', 'one sentence')
    .option('--description-full <text>', 'a longer description')
    .addOption(new Option('--type <type>', 'what it is').choices([...PACKAGE_TYPES]))
    .option('--category <text>', 'a category word')
    .option('--author <name>', 'who made it')
    .option('--contact <key=value...>', 'how to reach the author, such as web=https://example.com')
    .option('--license <license>', 'such as MIT')
    .option('--resource <key=url...>', 'links, such as homepage=https://example.com')
    .option('--tag <tag...>', 'search tags')
    .option('--package-version <version>', 'the first version')
    .addOption(new Option('--status <status>', 'the status of the version').choices([...VERSION_STATUSES]))
    .option('--tool-version <version>', 'the oldest tool that it runs in')
    .option('--tool-version-max <version>', 'the newest one')
    .option('--keep-on-update <pattern...>', 'files that survive an update, as regular expressions')
    .addOption(toolBrandOption())
    .option('--yes', 'never prompt, even on a terminal')
    .option('--json', 'print the result as JSON')
    .action(async (folder: string, words: InitWords) => {
      await run(words, async (task) => (await import('./init.ts')).initPackage(task, folder, words))
    })

  packages
    .command('validate')
    .description('Check metadata: a package, a list, a repository, a package folder or an archive.')
    .argument('<file...>', 'files or folders; - is standard input')
    .addOption(toolBrandOption())
    .addOption(
      new Option('--urls <mode>', 'strict: as the format says; compat: as existing tools check them')
        .choices(['strict', 'compat'])
        .default('strict'),
    )
    .option('--json', 'print the findings as JSON')
    .action(
      async (files: string[], words: { toolBrand?: string; urls: 'strict' | 'compat'; json?: boolean }) => {
        await run(words, async (task) => (await import('./validate.ts')).validateFiles(task, files, words))
      },
    )

  packages
    .command('pack')
    .description('Pack a folder into an archive. The same files give the same bytes.')
    .argument('[folder]', 'the package', '.')
    .option('--out <file>', 'the archive, or a folder for it; <identifier>-<version>.zip here if not given')
    .addOption(toolBrandOption())
    .option('--json', 'print the result as JSON')
    .action(async (folder: string, words: { out?: string; toolBrand?: string; json?: boolean }) => {
      await run(words, async (task) => (await import('./pack.ts')).packPackage(task, folder, words))
    })

  packages
    .command('inspect')
    .description('Show what an archive holds.')
    .argument('<file>', 'the archive')
    .addOption(toolBrandOption())
    .option('--json', 'print it as JSON')
    .action(async (file: string, words: { toolBrand?: string; json?: boolean }) => {
      await run(words, async (task) => (await import('./inspect.ts')).inspectPackage(task, file, words))
    })

  addPublishing(packages, run)
}

function addPublishing(packages: Command, run: ReturnType<typeof outcomeOf>): void {
  const ownerOption = () =>
    new Option('--owner <handle>', 'the person or organization that it belongs to; you, if not given')
  packages
    .command('publish')
    .description(
      'Publish an archive or a folder. Needs "patchbay login", or PATCHBAY_API_KEY and its server, or --trusted in a CI job.',
    )
    .argument('[file]', 'the archive, or the folder to pack', '.')
    .addOption(ownerOption())
    .option('--private', 'only for those who may read the packages of the owner; counts the first time')
    .option('--trusted', 'in a CI job that the package trusts: without a key; needs --owner')
    .addOption(toolBrandOption())
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (file: string, words: PublishWords) => {
      await run(words, async (task) => (await import('./publish.ts')).publishPackage(task, file, words))
    })

  packages
    .command('import')
    .description('Have the server fetch an archive and publish it.')
    .argument('<url>', 'where the archive is')
    .addOption(ownerOption())
    .option('--sha256 <hash>', 'what the archive must be')
    .option('--private', 'only for those who may read the packages of the owner; counts the first time')
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (url: string, words: PublishWords & { sha256?: string }) => {
      await run(words, async (task) => (await import('./publish.ts')).importPackage(task, url, words))
    })

  packages
    .command('status')
    .description('Change the status of a published version.')
    .argument('<identifier>')
    .argument('<version>')
    .addArgument(new Argument('<status>').choices([...VERSION_STATUSES]))
    .addOption(ownerOption())
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (identifier: string, version: string, status: VersionStatus, words: PublishWords) => {
      await run(words, async (task) =>
        (await import('./change.ts')).changeStatus(task, { identifier, version, status }, words),
      )
    })

  packages
    .command('yank')
    .description('Stop offering a version. Installations that pin or name it keep it.')
    .argument('<package>', 'which version, such as com.example.blinky@1.2.0')
    .option('--reason <text>', 'why, for everybody to read')
    .option('--undo', 'offer it again')
    .addOption(ownerOption())
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (named: string, words: YankWords) => {
      await run(words, async (task) => (await import('./change.ts')).yankVersion(task, named, words))
    })

  packages
    .command('delete')
    .description('Delete a version within 72 hours, while nobody else has downloaded it.')
    .argument('<package>', 'which version, such as com.example.blinky@1.2.0')
    .addOption(ownerOption())
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (named: string, words: PublishWords) => {
      await run(words, async (task) => (await import('./change.ts')).deleteVersion(task, named, words))
    })

  for (const [name, isListed, meaning] of [
    ['delist', false, 'Take a package out of feeds and search. Nothing is deleted.'],
    ['list-again', true, 'Put a delisted package back.'],
  ] as const) {
    packages
      .command(name)
      .description(meaning)
      .argument('<identifier>')
      .addOption(ownerOption())
      .addOption(serverOption())
      .option('--json', 'print the result as JSON')
      .action(async (identifier: string, words: PublishWords) => {
        await run(words, async (task) =>
          (await import('./change.ts')).changeListing(task, identifier, isListed, words),
        )
      })
  }
}
