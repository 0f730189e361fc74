import { type DeviceValue, Problem, type ProblemCode } from '@patchbay/client/workspaces'
import { EXIT } from '../account/ending.ts'
import { nearest } from '../command/nearest.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import type { Progress } from '../terminal/progress.ts'
import { tableOf } from '../terminal/table.ts'
import { type AskedWorkspace, type ServerWord, withWorkspace } from '../workspace/open-workspaces.ts'
import type { Board } from './programs.ts'
import {
  addedWords,
  deviceRow,
  newKeyWords,
  noDevicesWords,
  REFUSED,
  resultWords,
  snippetsFor,
  stoppedWords,
  stopWords,
  valueWords,
  watchingWords,
} from './words.ts'

interface Reasoned extends ServerWord {
  readonly reason?: string
}

// The patterns of the contract, without loading what describes the whole wire.
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/
const CHANNEL = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,47}$/

/** `patchbay device add`. */
export async function add(
  task: Task,
  text: string,
  device: string,
  words: ServerWord & { readonly title?: string; readonly for?: Board },
): Promise<Outcome> {
  requireNames(device)
  return await withWorkspace(task, text, words, 'workspace', (asked) =>
    telling(asked, { device }, async () => {
      const added = await asked.workspace.devices.add({ name: device, title: words.title })
      const snippets = snippetsFor(added, asked.server)
      return { json: { ...added, snippets }, text: addedWords(added, snippets, asked, words.for) }
    }),
  )
}

/** `patchbay device key`. */
export async function replaceKey(
  task: Task,
  text: string,
  device: string,
  words: ServerWord & { readonly for?: Board },
): Promise<Outcome> {
  requireNames(device)
  return await withWorkspace(task, text, words, 'workspace', (asked) =>
    telling(asked, { device }, async () => {
      const given = await asked.workspace.devices.replaceKey(device)
      const snippets = snippetsFor(given, asked.server)
      return {
        json: { ...given, snippets },
        text: newKeyWords({ ...given, device }, snippets, asked, words.for),
      }
    }),
  )
}

/** `patchbay device list`. */
export async function list(task: Task, text: string, words: ServerWord): Promise<Outcome> {
  return await withWorkspace(task, text, words, 'devices:read', async (asked) => {
    const { devices, stop } = await asked.workspace.devices.list()
    const rows = devices.map((device) => deviceRow(device, asked))
    const lines = [
      ...(stop === null ? [] : [stopWords(stop, asked), '']),
      rows.length === 0 ? noDevicesWords(asked) : tableOf(rows),
    ]
    return { json: { devices, stop }, text: lines.join('\n') }
  })
}

/** "Waiting for …" would run over the values. */
export const NO_PROGRESS: Progress = { update: () => undefined, [Symbol.dispose]: () => undefined }

/** `patchbay device watch`: a line for each value, as it arrives. */
export async function watch(
  task: Task,
  text: string,
  device: string,
  words: ServerWord & { readonly channel?: string; readonly seconds?: number },
): Promise<Outcome> {
  const { signal, isJson, surroundings } = task
  const { channel, seconds } = words
  requireNames(device, channel)
  return await withWorkspace({ ...task, progress: () => NO_PROGRESS }, text, words, 'devices:read', (asked) =>
    telling(asked, { device }, async () => {
      if (!isJson) task.notify(watchingWords(device))
      try {
        const values = asked.workspace.devices.watch(device, { channel, seconds, signal })
        for (;;) {
          const { done, value } = await values.next()
          if (done === true) {
            if (value === 'gone') throw new Refusal(EXIT.failed, 'device_gone', REFUSED.gone(device, asked))
            break
          }
          surroundings.print(
            isJson ? JSON.stringify(value) : `${value.at}  ${value.channel}  ${valueWords(value.value)}`,
          )
        }
      } catch (error) {
        // Ending it is how it is meant to be used.
        if (!signal.aborted) throw error
      }
      return { json: undefined, text: '' }
    }),
  )
}

/** `patchbay device send`. */
export async function send(
  task: Task,
  text: string,
  device: string,
  channel: string,
  value: string,
  words: Reasoned & { readonly timeout?: number },
): Promise<Outcome> {
  requireNames(device, channel)
  const wanted = valueOf(value)
  const { reason, timeout } = words
  return await withWorkspace(task, text, words, 'devices:command', (asked) =>
    telling(asked, { device, channel }, async () => {
      const timeoutMs = timeout === undefined ? undefined : timeout * 1_000
      const command = { channel, value: wanted, timeoutMs, reason }
      const result = await asked.workspace.devices.command(device, command)
      const isGood = result.status === 'done' || result.status === 'sent'
      return {
        json: result,
        text: resultWords(result, device),
        ...(isGood ? {} : { exitCode: EXIT.failed }),
      }
    }),
  )
}

/** `patchbay device remove`. */
export async function remove(task: Task, text: string, device: string, words: ServerWord): Promise<Outcome> {
  requireNames(device)
  return await withWorkspace(task, text, words, 'workspace', (asked) =>
    telling(asked, { device }, async () => {
      await asked.workspace.devices.remove(device)
      return {
        json: { removed: device },
        text: `Removed ${device} from ${asked.name}, with its key and its values.`,
      }
    }),
  )
}

/** `patchbay device stop`. */
export async function stopAll(task: Task, text: string, words: Reasoned): Promise<Outcome> {
  return await withWorkspace(task, text, words, 'devices:command', (asked) =>
    telling(asked, {}, async () => {
      const stopped = await asked.workspace.devices.stop({ reason: words.reason })
      return { json: stopped, text: stoppedWords(stopped.devices, asked) }
    }),
  )
}

/** Before anybody is asked: the server's own words for it name a pattern. */
export function requireNames(device: string, channel?: string): void {
  if (!NAME.test(device)) throw new Refusal(EXIT.usage, 'bad_device', REFUSED.name(device))
  if (channel !== undefined && !CHANNEL.test(channel))
    throw new Refusal(EXIT.usage, 'bad_channel', REFUSED.channel(channel))
}

/** JSON, or else text. */
function valueOf(text: string): DeviceValue {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return text
  }
  if (isFlat(value)) return value
  throw new Refusal(EXIT.usage, 'bad_value', REFUSED.value)
}

function isFlat(value: unknown): value is DeviceValue {
  const isScalar = (each: unknown) => each === null || typeof each !== 'object'
  return isScalar(value) || Object.values(Object(value) as object).every(isScalar)
}

interface Named {
  readonly device?: string
  readonly channel?: string
}

/** Refusals that are about a device, each as a sentence with what to do. */
export async function telling(
  asked: AskedWorkspace,
  { device = '', channel = '' }: Named,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const known = ADVICE[error.code]
    if (known === undefined) throw error
    const [exitCode, words] = known
    const text = await words({ asked, device, channel, detail: error.detail })
    throw text === undefined ? error : new Refusal(exitCode, error.code, text, { ...error.extensions })
  }
}

interface Refused {
  readonly asked: AskedWorkspace
  readonly device: string
  readonly channel: string
  readonly detail: string | undefined
}

/** `undefined`: it is told as for any workspace. */
type Words = (refused: Refused) => string | undefined | Promise<string | undefined>

const ADVICE: Partial<Record<ProblemCode, readonly [exitCode: number, words: Words]>> = {
  device_not_found: [
    EXIT.failed,
    async ({ asked, device }) => {
      const names = await lookingUp(async () => (await asked.workspace.devices.list()).devices)
      return REFUSED.unknown(
        device,
        nearest(
          device,
          (names ?? []).map(({ name }) => name),
        ),
        asked,
      )
    },
  ],
  not_permitted: [
    EXIT.failed,
    async ({ asked, device }) => {
      if (device === '') return undefined
      const found = await lookingUp(async () => (await asked.workspace.devices.get(device)).device)
      const home = found === undefined ? asked.name : `${found.owner}/${found.repo}`
      return home === asked.name ? undefined : REFUSED.elsewhere(device, home, asked)
    },
  ],
  channel_not_found: [
    EXIT.failed,
    async ({ asked, device, channel }) => {
      const found = await lookingUp(async () => (await asked.workspace.devices.get(device)).device.channels)
      const taking = (found ?? []).filter(({ takesCommands }) => takesCommands).map(({ name }) => name)
      return REFUSED.noChannel(device, channel, taking)
    },
  ],
  device_exists: [EXIT.failed, ({ asked, device }) => REFUSED.exists(device, asked)],
  command_invalid: [EXIT.failed, ({ device, channel, detail }) => REFUSED.invalid(device, channel, detail)],
  device_not_armed: [EXIT.notYet, ({ asked, device, channel }) => REFUSED.notArmed(device, channel, asked)],
  devices_stopped: [EXIT.notYet, ({ asked }) => REFUSED.stopped(asked)],
  device_offline: [EXIT.notYet, ({ asked, device }) => REFUSED.offline(device, asked)],
  too_many_waiting: [EXIT.notYet, ({ device }) => REFUSED.busy(device)],
  broker_unavailable: [EXIT.unavailable, ({ asked }) => REFUSED.noBroker(asked.server)],
}

/** What makes a sentence better, and may itself be refused. */
async function lookingUp<T>(find: () => Promise<T>): Promise<T | undefined> {
  try {
    return await find()
  } catch {
    return undefined
  }
}
