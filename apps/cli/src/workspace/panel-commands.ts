import { Argument, type Command, Option } from 'commander'
import { type RunTask, serverOption, wholeNumberOf } from '../command/options.ts'
import type { ControlWords } from './control.ts'
import type { EvalWords } from './evaluate.ts'
import { reasonOption, TAB_MEANING, WORKSPACE_MEANING } from './options.ts'

interface Words extends ControlWords {
  readonly json?: boolean
}

const AFTER_HELP = `
"patchbay workspace show ada/board" lists the tabs. The tab must be the one that shows in its panel.`

/** `patchbay panel`: acts on web views and sandboxes. */
export function addPanel(program: Command, run: RunTask): void {
  const panels = program
    .command('panel')
    .description('Act on a web view or a sandbox.')
    .addHelpText('after', AFTER_HELP)
  const command = (name: string, meaning: string) =>
    panels
      .command(name)
      .description(meaning)
      .argument('<workspace>', WORKSPACE_MEANING)
      .argument('<tab>', TAB_MEANING)
      .addOption(reasonOption())
      .addOption(serverOption())
      .option('--json', 'print the result as JSON')
  addWebview(command, run)
  addSandbox(command, run)

  panels
    .command('result')
    .description('Show the result of queued code.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('<id>', 'as "panel eval" said it')
    .addOption(waitOption())
    .addOption(serverOption())
    .option('--json', 'print the outcome as JSON')
    .action(async (text: string, id: string, words: Words & { wait?: number }) => {
      await run(words, async (task) => (await import('./evaluate.ts')).fetchResult(task, text, id, words))
    })
}

type MakeCommand = (name: string, meaning: string) => Command

function addWebview(command: MakeCommand, run: RunTask): void {
  command('navigate', 'Load a page in a web view.')
    .argument('<url>', 'an http or https address')
    .action(async (text: string, tab: string, url: string, words: Words) => {
      await run(words, async (task) => (await import('./control.ts')).navigate(task, text, tab, url, words))
    })

  command('refresh', 'Load the page of a web view again.').action(
    async (text: string, tab: string, words: Words) => {
      await run(words, async (task) => (await import('./control.ts')).refresh(task, text, tab, words))
    },
  )

  command('header', 'Show or hide the bar at the top of a web view or sandbox.')
    .addArgument(new Argument('<how>').choices(['show', 'hide']))
    .action(async (text: string, tab: string, how: 'show' | 'hide', words: Words) => {
      await run(words, async (task) =>
        (await import('./control.ts')).setHeader(task, text, tab, how === 'show', words),
      )
    })

  command('proxy', 'Load pages of a web view through the proxy, for sites that forbid framing.')
    .addArgument(new Argument('<how>').choices(['on', 'off']))
    .action(async (text: string, tab: string, how: 'on' | 'off', words: Words) => {
      await run(words, async (task) =>
        (await import('./control.ts')).setProxy(task, text, tab, how === 'on', words),
      )
    })
}

function addSandbox(command: MakeCommand, run: RunTask): void {
  command('eval', 'Run JavaScript in a sandbox, once, and print its result.')
    .argument('[code]', 'what to run; - is standard input')
    .option('--file <file>', 'what to run')
    .addOption(
      new Option('--timeout <seconds>', 'how long it may run; 5 if not given').argParser(
        wholeNumberOf(1, 30),
      ),
    )
    .addOption(waitOption())
    .addHelpText('after', '\nExit codes: 0 it ran, 1 it failed, 75 it waits for a browser that can run it.')
    .action(async (text: string, tab: string, code: string | undefined, words: Words & EvalWords) => {
      await run(
        words,
        async (task) => (await import('./evaluate.ts')).evaluate(task, text, tab, code, words),
        { whenStopped: 'The code may have run.' },
      )
    })

  command('reset', 'Let a sandbox begin anew.').action(async (text: string, tab: string, words: Words) => {
    await run(words, async (task) => (await import('./control.ts')).resetSandbox(task, text, tab, words))
  })
}

function waitOption(): Option {
  return new Option('--wait <seconds>', 'how long to wait for it while no browser can run it').argParser(
    wholeNumberOf(0, 600),
  )
}
