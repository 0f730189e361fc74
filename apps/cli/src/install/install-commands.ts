import { PACKAGE_TYPES, VERSION_STATUSES } from '@patchbay/package-format'
import { type Command, Option } from 'commander'
import { outcomeOf, type RunTask, serverOption, toolBrandOption, wholeNumberOf } from '../command/options.ts'
import type { CliSurroundings } from '../terminal/surroundings.ts'
import type { InfoWords } from './info.ts'
import type { InstallWords } from './operations.ts'
import type { SearchWords } from './search.ts'
import { addSources } from './source-commands.ts'
import { platformOption, runtimeOption, toolVersionOption } from './target-options.ts'

const STOPPED = 'Every package is whole: as it was, or updated.'

/** `patchbay search`, `install` and what follows. */
export function addInstall(program: Command, surroundings: CliSurroundings): void {
  const run = outcomeOf(surroundings)
  fromSources(program.command('search'))
    .description('Search for packages.')
    .argument('[words...]', 'the last may be unfinished; none: the latest')
    .addOption(new Option('--type <type>', 'what it is').choices([...PACKAGE_TYPES]))
    .addOption(platformOption('that it runs on'))
    .addOption(toolVersionOption('that it runs in'))
    .addOption(runtimeOption('that it needs'))
    .addOption(new Option('--status <status>', 'how settled a version is').choices([...VERSION_STATUSES]))
    .option('--limit <number>', 'how many at most', wholeNumberOf(1, 100), 20)
    .option('--json', 'print them as JSON')
    .action(async (words: string[], wish: SearchWords) => {
      await run(wish, async (task) => (await import('./search.ts')).searchPackages(task, words, wish))
    })

  fromSources(program.command('info'))
    .alias('view')
    .summary('Show a package and its versions.')
    .description('Show a package: its versions, what they run on, license, links.')
    .argument('<package>', 'com.example.blinky, or com.example.blinky@1.2.0 for one version')
    .addOption(toolVersionOption('of yours'))
    .addOption(platformOption('that it is to run on; this one if not given'))
    .addOption(runtimeOption('that it is to run in; those of the tool version if not given'))
    .option('--json', 'print it as JSON')
    .action(async (named: string, words: InfoWords) => {
      await run(words, async (task) => (await import('./info.ts')).showInfo(task, named, words))
    })

  intoFolder(fromSources(program.command('install')))
    .description('Install a package.')
    .argument('<package>', 'com.example.blinky, or com.example.blinky@1.2.0 for one version')
    .option('--force', 'also install what does not run here; reinstall what is installed')
    .action(async (named: string, words: InstallWords) => {
      await run(words, async (task) => (await import('./operations.ts')).installPackage(task, named, words))
    })

  intoFolder(fromSources(program.command('update')))
    .description('Update one package, or all that are not pinned.')
    .argument('[package]', 'its identifier')
    .option('--force', 'also without settings that could not be kept')
    .option('--allow-other-origin', 'also from another address than it was installed from')
    .action(async (identifier: string | undefined, words: InstallWords) => {
      await run(
        words,
        async (task) => (await import('./update.ts')).updatePackages(task, identifier, words),
        {
          whenStopped: STOPPED,
        },
      )
    })

  intoFolder(fromSources(program.command('list')))
    .description('List what is installed.')
    .option('--outdated', 'only what an update would change')
    .action(async (words: InstallWords & { outdated?: boolean }) => {
      await run(words, async (task) => (await import('./list.ts')).listPackages(task, words))
    })

  addChanges(program, run)
  addSources(program, run)
}

function addChanges(program: Command, run: RunTask): void {
  for (const [name, meaning] of [
    ['remove', 'Remove a package, also its earlier version.'],
    ['rollback', 'Go back to the version before; twice returns.'],
  ] as const) {
    const command = atRoot(program.command(name)).description(meaning).argument('<package>', 'its identifier')
    if (name === 'rollback') command.option('--force', 'also without settings that could not be kept')
    command.action(async (identifier: string, words: InstallWords) => {
      await run(
        words,
        async (task) => (await import('./operations.ts')).changePackage(task, identifier, words, name),
        { whenStopped: STOPPED },
      )
    })
  }
  for (const [name, meaning] of [
    ['pin', 'Keep a package at its version.'],
    ['unpin', 'Let updates change a package again.'],
  ] as const)
    atRoot(program.command(name))
      .description(meaning)
      .argument('<package>', 'its identifier')
      .action(async (identifier: string, words: InstallWords) => {
        await run(words, async (task) =>
          (await import('./operations.ts')).pinPackage(task, identifier, words, name),
        )
      })
}

function fromSources(command: Command): Command {
  return command
    .addOption(serverOption())
    .option('--repo <url>', 'one repository: the address of its repository.json, or its folder')
    .addOption(toolBrandOption())
}

function intoFolder(command: Command): Command {
  return atRoot(command)
    .addOption(toolVersionOption('of yours'))
    .addOption(platformOption('to install for; this one if not given'))
    .addOption(runtimeOption('to install for; those of the tool version if not given'))
}

function atRoot(command: Command): Command {
  return command
    .option('--root <folder>', 'the folder of third-party packages that the tool reads')
    .option('--json', 'print the result as JSON')
}
