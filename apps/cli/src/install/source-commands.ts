import type { Command } from 'commander'
import { type RunTask, toolBrandOption } from '../command/options.ts'
import type { TargetWords } from './places.ts'
import type { AddWords } from './sources.ts'
import { platformOption, runtimeOption, toolVersionOption } from './target-options.ts'

const AFTER_HELP = `
Examples:
  $ patchbay source add https://patchbay.example.com
  $ patchbay source add https://example.com/packages/repository.json --name mine --tool-brand kicad
  $ patchbay source add https://example.com/packages/repository.json --trust-root 1.root.json
  $ patchbay source target --root ~/Documents/KiCad/9.0/3rdparty --tool-version 9.0`

/** `patchbay source`: where packages come from, and where they go. */
export function addSources(program: Command, run: RunTask): void {
  const source = program
    .command('source')
    .description('Manage package sources and install targets.')
    .addHelpText('after', AFTER_HELP)

  source
    .command('add')
    .description('Add a source. A package comes from the first one that has it.')
    .argument('<url>', 'of a Patchbay server or a repository.json; or a folder that holds one')
    .option('--name <text>', 'what to call it')
    .addOption(toolBrandOption())
    .option('--api-key-variable <name>', 'the environment variable that holds its API key')
    .option('--use-login', 'use the session of "patchbay login"; fail without one')
    .option('--trust-root <file>', 'take only what is signed, following this root (1.root.json)')
    .option('--allow-unsigned-private', 'with --trust-root: take private packages, which are not signed')
    .option('--no-check', 'do not ask it now')
    .option('--json', 'print it as JSON')
    .action(async (url: string, words: AddWords) => {
      await run(words, async (task) => (await import('./sources.ts')).addSource(task, url, words))
    })

  source
    .command('remove')
    .description('Remove a source. What was installed from it stays.')
    .argument('<name>', 'its name or address')
    .option('--json', 'print it as JSON')
    .action(async (name: string, words: { json?: boolean }) => {
      await run(words, async (task) => (await import('./sources.ts')).removeSource(task, name))
    })

  source
    .command('list')
    .description('List the sources, in order of priority.')
    .option('--json', 'print them as JSON')
    .action(async (words: { json?: boolean }) => {
      await run(words, async (task) => (await import('./sources.ts')).listSources(task))
    })

  source
    .command('target')
    .description('Set or show where packages are installed and for which tool.')
    .option('--root <folder>', 'the folder of third-party packages that the tool reads')
    .addOption(toolVersionOption('of yours'))
    .addOption(platformOption('to install for'))
    .addOption(runtimeOption('to install for'))
    .option('--forget', 'forget what was remembered')
    .option('--json', 'print it as JSON')
    .action(async (words: TargetWords & { forget?: boolean; json?: boolean }) => {
      await run(words, async (task) => (await import('./sources.ts')).setTarget(task, words))
    })
}
