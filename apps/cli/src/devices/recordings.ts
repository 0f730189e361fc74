import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { HistorySeries, RecordingFormat } from '@patchbay/client/workspaces'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { bytesInWords } from '../terminal/bytes.ts'
import { tableOf } from '../terminal/table.ts'
import { type ServerWord, withWorkspace } from '../workspace/open-workspaces.ts'
import { requireNames, telling } from './devices.ts'
import { historyWords, RECORDING, recorderWords } from './words.ts'

export interface TimeWords extends ServerWord {
  readonly from?: string
  readonly to?: string
}

const UNITS = { s: 1_000, m: 60_000, h: 60 * 60_000, d: 24 * 60 * 60_000 } as const
const HOUR_MS = UNITS.h

/** A time, or how long ago: `15m`, `2h`, `2026-11-18T12:00:00Z`. */
function timeOf(text: string, now: number): Date {
  const [, count, unit] = /^(\d{1,6})(s|m|h|d)$/.exec(text) ?? []
  if (count !== undefined && unit !== undefined)
    return new Date(now - Number(count) * UNITS[unit as keyof typeof UNITS])
  const time = new Date(text)
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(time.getTime())) return time
  throw new Refusal(EXIT.usage, 'bad_time', RECORDING.badTime(text))
}

function rangeOf({ from, to }: TimeWords, now: number) {
  const end = to === undefined ? new Date(now) : timeOf(to, now)
  const begin = from === undefined ? new Date(end.getTime() - HOUR_MS) : timeOf(from, now)
  if (begin >= end) throw new Refusal(EXIT.usage, 'bad_time', RECORDING.wrongWay)
  return { from: begin, to: end }
}

/** `patchbay device history`. */
export async function history(
  task: Task,
  text: string,
  device: string,
  words: TimeWords & { readonly channel?: string; readonly points?: number },
): Promise<Outcome> {
  const { channel, points = 60 } = words
  requireNames(device, channel)
  const range = rangeOf(words, task.surroundings.now())
  return await withWorkspace(task, text, words, 'devices:read', (asked) =>
    telling(asked, { device }, async () => {
      const channels = channel === undefined ? undefined : [channel]
      const found = await asked.workspace.recordings.history(device, { ...range, channels, points })
      const rows = found.series.flatMap((series) => rowsOf(series))
      return {
        json: found,
        text: rows.length === 0 ? RECORDING.nothing(device) : historyWords(found, tableOf(rows)),
      }
    }),
  )
}

function rowsOf({ channel, member, points }: HistorySeries): string[][] {
  const name = member === null ? channel : `${channel}.${member}`
  return points.map(([at, min, max, mean, last, count]) => [
    new Date(at).toISOString(),
    name,
    ...[min, mean, max, last].map((value) => String(Number(value.toPrecision(6)))),
    String(count),
  ])
}

/** `patchbay device export`: to standard output as it is, or into a file. */
export async function exportRecording(
  task: Task,
  text: string,
  devices: readonly string[],
  words: TimeWords & {
    readonly format?: RecordingFormat
    readonly output?: string
    readonly force?: boolean
  },
): Promise<Outcome> {
  for (const device of devices) requireNames(device)
  const range = rangeOf(words, task.surroundings.now())
  const { format = 'mcap', output } = words
  if (output === undefined && format === 'mcap' && task.surroundings.isTerminal === true)
    throw new Refusal(EXIT.usage, 'needs_output', RECORDING.needsOutput)
  return await withWorkspace(task, text, words, 'devices:read', (asked) =>
    telling(asked, { device: devices[0] ?? '' }, async () => {
      const wanted = { ...range, format, devices: devices.length === 0 ? undefined : devices }
      const body = await asked.workspace.recordings.export(wanted)
      const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0])
      if (output === undefined) {
        for await (const chunk of source) await task.surroundings.writeBytes(chunk as Buffer)
        return { json: undefined, text: '' }
      }
      const file = createWriteStream(output, { flags: words.force === true ? 'w' : 'wx' })
      await pipeline(source, file)
      return {
        json: { file: output, format, size: file.bytesWritten },
        text: `Wrote ${output} (${bytesInWords(file.bytesWritten)}).`,
      }
    }),
  )
}

/** `patchbay device record`: starts, stops, or says how it stands. */
export async function record(
  task: Task,
  text: string,
  words: ServerWord & { readonly start?: boolean; readonly stop?: boolean },
): Promise<Outcome> {
  if (words.start === true && words.stop === true)
    throw new Refusal(EXIT.usage, 'bad_words', RECORDING.startOrStop)
  const isChange = words.start === true || words.stop === true
  return await withWorkspace(task, text, words, isChange ? 'workspace' : 'devices:read', async (asked) => {
    const { recordings } = asked.workspace
    const state = await (words.start === true
      ? recordings.start()
      : words.stop === true
        ? recordings.stop()
        : recordings.state())
    return { json: state, text: recorderWords(state, asked) }
  })
}
