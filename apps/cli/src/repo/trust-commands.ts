import { Argument, type Command, Option } from 'commander'
import { type RunTask, wholeNumberOf } from '../command/options.ts'
import { KEY_ROLES, type KeyRole } from './key-role.ts'
import type { TrustWords } from './trust-init.ts'
import type { RotateWords } from './trust-rotate.ts'

const YEAR_DAYS = 365

/** `patchbay repo keys`. Private keys go into files for this user alone, and are never shown. */
export function addKeys(repo: Command, run: RunTask): void {
  const keys = repo.command('keys').description('Create and show the keys that sign a repository.')

  keys
    .command('create')
    .description('Create a key for each role that has none, or one more for a role.')
    .argument('<folder>', 'where the keys are kept; offline, for root and targets')
    .addOption(new Option('--role <role>', 'one more key for this role').choices([...KEY_ROLES]))
    .option('--json', 'print the public parts as JSON')
    .action(async (folder: string, words: { role?: KeyRole; json?: boolean }) => {
      await run(words, async () => (await import('./keys.ts')).createKeys(folder, words.role))
    })

  keys
    .command('show')
    .description('List the keys and which of them are in use.')
    .argument('<folder>')
    .option('--trust <folder>', 'where the roots are; <folder>/trust if not given')
    .option('--json', 'print it as JSON')
    .action(async (folder: string, words: { trust?: string; json?: boolean }) => {
      await run(words, async () => (await import('./keys.ts')).showKeys(folder, words.trust))
    })
}

/** `patchbay repo trust`: the ceremonies at which offline keys are used. */
export function addTrust(repo: Command, run: RunTask): void {
  const trust = repo.command('trust').description('Say whose signatures count: begin, renew, replace keys.')
  const signing = (command: Command) =>
    command
      .argument('<keys>', 'the folder of the keys')
      .option('--trust <folder>', 'where roots and targets go; <keys>/trust if not given')
      .option('--days <number>', 'how long they hold', wholeNumberOf(1, 3650), YEAR_DAYS)
      .option('--root-keys <folder...>', 'also the root keys of these folders, one for each holder')
      .option('--threshold <number>', 'how many root keys have to sign', wholeNumberOf(1, 100))
      .option('--json', 'print the result as JSON')

  signing(trust.command('init'))
    .description('Sign the first root; for a registry also the targets that let its server sign.')
    .addOption(
      new Option('--for <kind>', 'what is signed: a folder of "repo build", or a Patchbay server')
        .choices(['folder', 'registry'])
        .default('folder'),
    )
    .action(async (keys: string, words: TrustWords & { for: 'folder' | 'registry' }) => {
      await run(words, async (task) => (await import('./trust-init.ts')).initTrust(task, keys, words))
    })

  signing(trust.command('rotate'))
    .description('Sign the next root: to extend it, or to replace keys. Clients follow by themselves.')
    .addOption(
      new Option(
        '--replace <role...>',
        'create a new key for this role, and trust the old ones no more',
      ).choices([...KEY_ROLES]),
    )
    .addOption(
      new Option('--add <role...>', 'create one more key for this role, beside the ones that count').choices([
        ...KEY_ROLES,
      ]),
    )
    .action(async (keys: string, words: RotateWords) => {
      await run(words, async (task) => (await import('./trust-rotate.ts')).rotateTrust(task, keys, words))
    })

  trust
    .command('show')
    .description('Show the roots: who may sign, and until when. Exit code 1 when something has expired.')
    .addArgument(new Argument('<folder>', 'with N.root.json: <keys>/trust, or tuf of a repository'))
    .option('--json', 'print it as JSON')
    .action(async (folder: string, words: { json?: boolean }) => {
      await run(words, async (task) => (await import('./trust-show.ts')).showTrust(task, folder))
    })
}
