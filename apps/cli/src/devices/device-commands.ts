import { type Command, Option } from 'commander'
import { outcomeOf, serverOption, wholeNumberOf } from '../command/options.ts'
import type { CliSurroundings } from '../terminal/surroundings.ts'
import { reasonOption, WORKSPACE_MEANING } from '../workspace/options.ts'
import { BOARDS, type Board } from './programs.ts'

interface Words {
  readonly server?: string
  readonly json?: boolean
}

const NAME_MEANING = 'the name of the device, such as motor-1'
// The limits of the contract, without loading what describes the whole wire.
const MOST_SECONDS = 3_600
const MOST_TIMEOUT = 30
const MOST_SIMULATED_SECONDS = 86_400
const MOST_POINTS = 2_000

const AFTER_HELP = `
A device, its values, and what it is told:
  $ patchbay device add ada/board motor-1 --title "Left motor"
  $ patchbay device watch ada/board motor-1 --channel temperature
  $ patchbay device send ada/board motor-1 speed 3.5 --reason "Test run"

Devices to try it with, without hardware:
  $ patchbay device simulate ada/board motor oven

All devices of a workspace, at once:
  $ patchbay device stop ada/board --reason "Smoke"`

const boardOption = () => new Option('--for <board>', 'print a program for a board').choices([...BOARDS])

/** `patchbay device`: what is connected to a workspace. */
export function addDevices(program: Command, surroundings: CliSurroundings): void {
  const devices = program
    .command('device')
    .description('Work with the devices of a workspace.')
    .addHelpText('after', AFTER_HELP)
  const run = outcomeOf(surroundings)

  devices
    .command('add')
    .description('Add a device. Prints its key, once, and how it connects.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('<name>', 'at most 32 lower-case letters, digits and hyphens, such as motor-1')
    .option('--title <text>', 'what people see; the name, if not given')
    .addOption(boardOption())
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (text: string, name: string, words: Words & { title?: string; for?: Board }) => {
      await run(words, async (task) => (await import('./devices.ts')).add(task, text, name, words), {
        whenStopped: 'The device may have been added.',
      })
    })
  devices
    .command('key')
    .description('Give a device a new key, and print it, once. The old one and its connection end.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('<name>', NAME_MEANING)
    .addOption(boardOption())
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (text: string, name: string, words: Words & { for?: Board }) => {
      await run(words, async (task) => (await import('./devices.ts')).replaceKey(task, text, name, words), {
        whenStopped: 'The device may have a new key.',
      })
    })
  devices
    .command('list')
    .description('List the devices of a workspace, and whether they are stopped.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .addOption(serverOption())
    .option('--json', 'print them as JSON')
    .action(async (text: string, words: Words) => {
      await run(words, async (task) => (await import('./devices.ts')).list(task, text, words))
    })
  devices
    .command('watch')
    .description('Print the values of a device as they arrive, the latest known ones first.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('<name>', NAME_MEANING)
    .option('--channel <name>', 'one channel; all of them, if not given')
    .addOption(
      new Option('--seconds <number>', 'for how long; an hour, if not given').argParser(
        wholeNumberOf(1, MOST_SECONDS),
      ),
    )
    .addOption(serverOption())
    .option('--json', 'print each value as JSON, one a line')
    .action(async (text: string, name: string, words: Words & { channel?: string; seconds?: number }) => {
      await run(words, async (task) => (await import('./devices.ts')).watch(task, text, name, words))
    })
  devices
    .command('send')
    .description(
      'Send a command to a device, and wait for what it says. The exit code is 0 only if it worked.',
    )
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('<name>', NAME_MEANING)
    .argument('<channel>', 'a channel that takes commands, such as speed')
    .argument('<value>', 'JSON, such as 3.5 or true; anything else is text')
    .addOption(reasonOption())
    .addOption(
      new Option('--timeout <seconds>', 'how long it has to confirm; 3, if not given').argParser(
        wholeNumberOf(1, MOST_TIMEOUT),
      ),
    )
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(
      async (
        text: string,
        name: string,
        channel: string,
        value: string,
        words: Words & { reason?: string; timeout?: number },
      ) => {
        await run(
          words,
          async (task) => (await import('./devices.ts')).send(task, text, name, channel, value, words),
          { whenStopped: 'The device may have carried the command out.' },
        )
      },
    )
  devices
    .command('simulate')
    .summary('Add simulated devices and run them, until Ctrl-C.')
    .description(
      'Add simulated devices with physics to a workspace, connect them over MQTT, and run them until Ctrl-C. Those of an earlier run are taken again and get new keys.',
    )
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('[names...]', 'bench for all of them, or some by name, such as motor oven')
    .addOption(
      new Option('--seconds <number>', 'for how long; until Ctrl-C, if not given').argParser(
        wholeNumberOf(1, MOST_SIMULATED_SECONDS),
      ),
    )
    .option('--remove', 'remove at the end what was added')
    .addOption(serverOption())
    .option('--json', 'print nothing until the end, and the result as JSON')
    .action(async (text: string, names: string[], words: Words & { seconds?: number; remove?: boolean }) => {
      await run(words, async (task) => (await import('./simulate.ts')).simulate(task, text, names, words), {
        whenStopped: 'The devices stay in the workspace.',
      })
    })
  devices
    .command('remove')
    .description('Remove a device with its key and its values. Its connection is closed.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('<name>', NAME_MEANING)
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (text: string, name: string, words: Words) => {
      await run(words, async (task) => (await import('./devices.ts')).remove(task, text, name, words), {
        whenStopped: 'The device may have been removed.',
      })
    })
  devices
    .command('stop')
    .description('Stop all devices of a workspace. A person releases them in a browser.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .addOption(reasonOption())
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (text: string, words: Words & { reason?: string }) => {
      await run(words, async (task) => (await import('./devices.ts')).stopAll(task, text, words), {
        whenStopped: 'The devices may have been stopped.',
      })
    })
  devices
    .command('record')
    .description('Record every value of the devices of a workspace, stop, or see how it stands.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .option('--start', 'start recording')
    .option('--stop', 'stop recording; what was recorded is kept for its time')
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(async (text: string, words: Words & { start?: boolean; stop?: boolean }) => {
      await run(words, async (task) => (await import('./recordings.ts')).record(task, text, words))
    })
  devices
    .command('history')
    .description(
      'Print the numbers that a device has sent, as so many lines. Nobody need have recorded them.',
    )
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('<name>', NAME_MEANING)
    .option('--channel <name>', 'one channel; all of them, if not given')
    .option('--from <time>', 'such as 15m, 2h or 2026-11-18T12:00:00Z; an hour before the end, if not given')
    .option('--to <time>', 'the same; now, if not given')
    .addOption(
      new Option('--points <number>', 'lines for each channel; 60, if not given').argParser(
        wholeNumberOf(1, MOST_POINTS),
      ),
    )
    .addOption(serverOption())
    .option('--json', 'print it as JSON')
    .action(
      async (
        text: string,
        name: string,
        words: Words & { channel?: string; from?: string; to?: string; points?: number },
      ) => {
        await run(words, async (task) => (await import('./recordings.ts')).history(task, text, name, words))
      },
    )
  devices
    .command('export')
    .description('Write what was recorded into an MCAP file, or as CSV.')
    .argument('<workspace>', WORKSPACE_MEANING)
    .argument('[names...]', 'the devices; all of them, if not given')
    .option('--from <time>', 'such as 15m, 2h or 2026-11-18T12:00:00Z; an hour before the end, if not given')
    .option('--to <time>', 'the same; now, if not given')
    .addOption(new Option('--format <format>', 'mcap, if not given').choices(['mcap', 'csv']))
    .option('-o, --output <file>', 'where to write it; standard output, if not given')
    .option('--force', 'replace the file')
    .addOption(serverOption())
    .option('--json', 'print the result as JSON')
    .action(
      async (
        text: string,
        names: string[],
        words: Words & {
          from?: string
          to?: string
          format?: 'mcap' | 'csv'
          output?: string
          force?: boolean
        },
      ) => {
        await run(words, async (task) =>
          (await import('./recordings.ts')).exportRecording(task, text, names, words),
        )
      },
    )
}
