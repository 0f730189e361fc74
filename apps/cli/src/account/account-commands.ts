import { type Command, InvalidArgumentError, Option } from 'commander'
import type { CliSurroundings } from '../terminal/surroundings.ts'
import type { Account } from './account.ts'
import { SERVER_OPTION_WORDS } from './default-server.ts'
import type { SignInOptions } from './sign-in.ts'

interface Where {
  readonly server?: string
}

interface LoginWords extends SignInOptions, Where {
  readonly begin?: boolean
  readonly check?: boolean
  readonly wait?: number
}

const AFTER_LOGIN_HELP = `
Examples:
  $ patchbay login                       open the browser, compare two words, approve
  $ patchbay login --no-browser          on a machine without one: open the link elsewhere
  $ patchbay login --begin               for programs: print the link as JSON, do not wait
  $ patchbay login --check --wait 60     complete it; exit code 75 says "not approved yet"`

/** `patchbay login`, `logout` and `whoami`. What does the work is loaded when it is asked for. */
export function addAccount(program: Command, surroundings: CliSurroundings): void {
  const withAccount = async (server: string | undefined, work: (account: Account) => Promise<void>) =>
    await (await import('./account.ts')).withAccount(surroundings, server, work)

  program
    .command('login')
    .description('Sign in to a server, in your browser.')
    .addOption(where())
    .option('--no-browser', 'do not open a browser')
    .option('--print-url', 'print nothing but the link on standard output, and open nothing')
    .option('--label <text>', 'what to call this program on the page that asks you')
    .option('--max-age <seconds>', 'how long the session should live', wholeNumber(1))
    .addOption(
      new Option('--begin', 'print the link as JSON and end; --check completes the login').conflicts([
        'check',
        'printUrl',
      ]),
    )
    .option(
      '--check',
      'complete a login that was begun: exit code 0 signed in, 75 not yet, 1 declined or expired',
    )
    .option(
      '--wait <seconds>',
      'with --check: how long to wait for the approval, 900 at most',
      wholeNumber(0),
    )
    .addHelpText('after', AFTER_LOGIN_HELP)
    .action(async (options: LoginWords) => {
      if (options.wait !== undefined && options.check !== true)
        program.error('error: --wait goes with --check; without it, the login is waited for anyway')
      await withAccount(options.server, async (account) => {
        const later = await import('./sign-in-later.ts')
        if (options.begin === true) await later.beginSignIn(account, options)
        else if (options.check === true) await later.checkSignIn(account, options.wait ?? 0)
        else await (await import('./sign-in.ts')).signIn(account, options)
      })
    })

  program
    .command('logout')
    .summary('End your session.')
    .description('End your session, on the server and on this machine.')
    .addOption(where())
    .option('--force', 'forget the session here even if the server cannot be asked to end it')
    .action(async ({ server, force }: Where & { force?: boolean }) => {
      const { signOut } = await import('./session-commands.ts')
      await withAccount(server, (account) => signOut(account, force === true))
    })

  program
    .command('whoami')
    .summary('Show who you are signed in as, and until when.')
    .description('Show who you are signed in as, and until when. Exit code 1 if you are not signed in.')
    .addOption(where())
    .option('--json', 'print it as JSON')
    .action(async ({ server, json }: Where & { json?: boolean }) => {
      const { showWhoami } = await import('./session-commands.ts')
      await withAccount(server, (account) => showWhoami(account, json === true))
    })
}

function where(): Option {
  return new Option('--server <url>', SERVER_OPTION_WORDS)
}

function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,10}$/.test(text) && Number(text) >= least) return Number(text)
    throw new InvalidArgumentError(`It must be a whole number of seconds, ${least} or more.`)
  }
}
