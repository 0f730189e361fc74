import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Surroundings } from '@patchbay/kernel/lifecycle'
import type { Steering } from '@patchbay/watchdog-app'
import { type Command, Option } from 'commander'
import { loadProcess, withAllVariables } from './processes.ts'

interface At {
  readonly url?: string
}

const COMMANDS: readonly (readonly [name: Exclude<Steering, 'auto on' | 'auto off'>, meaning: string])[] = [
  ['status', 'Show how the gateway and its watchdog are; the default.'],
  ['start', 'Start the gateway.'],
  ['stop', 'Stop the gateway, which then stays stopped.'],
  ['restart', 'Stop the gateway with a drain and start it again.'],
]

/** `patchbay watchdog`: one command that runs it, and some that talk to one that runs. */
export function addWatchdog(program: Command, surroundings: Surroundings): void {
  const steer = async (steering: Steering, { url }: At) => {
    const { steerWatchdog } = await loadProcess('watchdog', surroundings)
    await steerWatchdog(surroundings, steering, { url })
  }
  const watchdog = program
    .command('watchdog')
    .summary('Supervise a gateway (port 8796).')
    .description('Supervise a gateway on this host (port 8796) and show its status.')

  watchdog
    .command('run')
    .description('Start the watchdog, with the gateway as its child.')
    .option('--check-config', 'check the configuration, report every fault, start nothing')
    .action(async ({ checkConfig }: { checkConfig?: boolean }) => {
      const { checkWatchdogConfig, runWatchdog } = await loadProcess('watchdog', surroundings)
      const all = await withAllVariables(surroundings)
      // Beside this file, in the checkout and where it is installed.
      const main = fileURLToPath(new URL(`./main${extname(import.meta.url)}`, import.meta.url))
      if (checkConfig === true) checkWatchdogConfig(all)
      else await runWatchdog(all, { command: process.execPath, args: [main, 'gateway'] })
    })

  for (const [name, meaning] of COMMANDS) {
    watchdog
      .command(name, { isDefault: name === 'status' })
      .description(meaning)
      .addOption(where())
      // The default command is also given words that are no command: it must not say that there are too many of them.
      .allowExcessArguments(name === 'status')
      .action(async (at: At, { args: [word] }: Command) => {
        if (word === undefined) await steer(name, at)
        else program.error(`error: unknown command '${word}'; there are ${wordsOf(watchdog)}`)
      })
  }
  watchdog
    .command('auto')
    .description('Turn auto-restart on or off. The setting is kept.')
    .argument('<switch>', 'on or off')
    .addOption(where())
    .action(async (choice: string, at: At) => {
      if (choice === 'on' || choice === 'off') await steer(`auto ${choice}`, at)
      else program.error(`error: auto-restart is switched "on" or "off", not "${choice}"`)
    })
}

function wordsOf({ commands }: Command): string {
  return commands.map((command) => command.name()).join(', ')
}

function where(): Option {
  return new Option('--url <url>', 'where the watchdog listens, if not where the environment says')
}
