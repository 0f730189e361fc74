import { memoryRows } from '../memory.ts'
import { barPlot, panel } from '../plot.ts'
import {
  atLeast,
  atMost,
  type Bench,
  count,
  judge,
  kilobytes,
  medianOf,
  megabytes,
  microseconds,
  milliseconds,
  missedGoals,
  named,
  ratioOf,
  type Series,
  series,
  spreadOf,
  strongRatio,
  table,
  thousands,
} from '../report.ts'
import type { Level } from './connected.ts'
import { SIDES } from './fleet.ts'
import { type Figures, measureDevices, type Sizes } from './measure.ts'
import { NUMBERS, VALUES } from './recording.ts'

const KEPT = atLeast(0.6)
const DELIVERED = atLeast(0.6)
const LATENCY = atMost(1.5)
const MEMORY = atMost(1.3)
const STOP_MS = atMost(100)
const MILLION = 1_000_000

const verdict = <Name extends string>(row: Series<Name>, ours: Name, theirs: Name) =>
  row.goal === undefined ? '' : judge(row.ratio(ours, theirs), row.goal)

/** What devices cost: their values on the way to pages and into storage, their connections, and their stop. */
export const devices: Bench<Sizes, Figures> = {
  full: {
    recording: { devices: 100, channels: 50, seconds: 10, rounds: 3 },
    delivery: {
      devices: 400,
      channels: 5,
      pages: 4,
      rates: [4_000, 8_000, 12_000, 16_000, 20_000, 26_000, 32_000],
      seconds: 2,
      calmSeconds: 5,
      rounds: 3,
    },
    connected: { devices: 4_000, rounds: 3 },
    stops: { rate: 10_000, channels: 5, stops: 100, witnesses: 10 },
    slope: { levels: [1_000, 4_000, 16_000], everySeconds: 10, seconds: 10 },
  },
  smoke: {
    recording: { devices: 10, channels: 10, seconds: 3, rounds: 1 },
    delivery: {
      devices: 8,
      channels: 5,
      pages: 4,
      rates: [400, 800],
      seconds: 1,
      calmSeconds: 1,
      rounds: 1,
    },
    connected: { devices: 40, rounds: 1 },
    stops: { rate: 500, channels: 5, stops: 3, witnesses: 2 },
    slope: { levels: [20, 40], everySeconds: 1, seconds: 1 },
  },

  measure: measureDevices,

  report({ recording, delivery, connected, stops, slope }, sizes) {
    const rows = series('rows a second', recording.numbers, (each) => each, thousands, KEPT)
    const all = series('values a second', recording.values, (each) => each, thousands, KEPT)
    const throughput = series('values a second', delivery, (each) => each.perSecond, thousands, DELIVERED)
    const cpu = series('CPU of a value', delivery, (each) => each.cpuMicroseconds, microseconds)
    const calm = series('p50, one channel', delivery, (each) => each.calm.p50Ms, milliseconds(1), LATENCY)
    const calmTail = series('p99, one channel', delivery, (each) => each.calm.p99Ms, milliseconds(1))
    const busy = series('p50, all channels', delivery, (each) => each.busy.p50Ms, milliseconds(1))
    const busyTail = series('p99, all channels', delivery, (each) => each.busy.p99Ms, milliseconds(1))
    const messages = series('messages, all channels', delivery, (each) => each.busy.messages, thousands)
    const held = memoryRows(connected, 'a connected device', MEMORY)
    const [resident, heap] = held
    const { devices: watched, channels, pages } = sizes.delivery
    return {
      parts: {
        sizes: `${sizes.recording.devices} devices with ${sizes.recording.channels} channels each`,
        numbers: table(
          [rows],
          [
            ['', named],
            ['COPY', medianOf('copy')],
            ['`INSERT … unnest`', medianOf('unnest')],
            ['recorder', medianOf('recorder')],
            ['`unnest` / COPY', strongRatio('unnest', 'copy')],
            ['recorder / COPY', strongRatio('recorder', 'copy')],
            ['in single rounds', spreadOf('recorder', 'copy')],
            ['goal', (row) => verdict(row, 'recorder', 'copy')],
          ],
        ),
        values: table(
          [all],
          [
            ['', named],
            ['`McapWriter`', medianOf('writer')],
            ['recorder', medianOf('recorder')],
            ['recorder / writer', strongRatio('recorder', 'writer')],
            ['in single rounds', spreadOf('recorder', 'writer')],
            ['goal', (row) => verdict(row, 'recorder', 'writer')],
          ],
        ),
        watched: `${watched} devices with ${channels} channels each, shown by ${pages} pages with ${thousands((watched * channels) / pages)} channels each`,
        delivery: table(
          [throughput, cpu, calm, calmTail, busy, busyTail, messages],
          [
            ['', named],
            ['bare relay', medianOf('relay')],
            ['server', medianOf('server')],
            ['server / relay', ratioOf('server', 'relay')],
            ['in single rounds', spreadOf('server', 'relay')],
            ['goal', (row) => verdict(row, 'server', 'relay')],
          ],
        ),
        connections: thousands(sizes.connected.devices),
        connected: table(
          [...held],
          [
            ['', named],
            ['bare aedes', medianOf('relay')],
            ['server', medianOf('server')],
            ['server / aedes', ratioOf('server', 'relay')],
            ['in single rounds', spreadOf('server', 'relay')],
            ['goal', (row) => (row === resident ? verdict(row, 'server', 'relay') : '')],
          ],
        ),
        stops: table(
          [stops],
          [
            ['stops', () => count(sizes.stops.stops)],
            ['values a second meanwhile', ({ rate }) => thousands(rate)],
            ['p50', ({ p50Ms }) => milliseconds(1)(p50Ms)],
            ['p99', ({ p99Ms }) => milliseconds(1)(p99Ms)],
            ['longest', ({ longestMs }) => milliseconds(1)(longestMs)],
            ['p50 of the answer', ({ answerP50Ms }) => milliseconds(1)(answerP50Ms)],
            ['goal for p99', ({ p99Ms }) => judge(p99Ms, STOP_MS)],
          ],
        ),
        missed: missedGoals([
          ['numbers', rows.ratio('recorder', 'copy'), KEPT],
          ['values', all.ratio('recorder', 'writer'), KEPT],
          ['throughput to pages', throughput.ratio('server', 'relay'), DELIVERED],
          ['p50 to pages', calm.ratio('server', 'relay'), LATENCY],
          ['memory of a connected device', resident.ratio('server', 'relay'), MEMORY],
          ['p99 of a stop in ms', stops.p99Ms, STOP_MS],
        ]),
      },
      scale: {
        every: count(sizes.slope.everySeconds),
        levels: levelTable(slope),
        million: millionTable(slope, throughput.median('server')),
      },
      plots: {
        'devices-recording.svg': barPlot(
          'Recording',
          ['COPY', 'INSERT … unnest', 'recorder'],
          [panel('Rows a second', rows, NUMBERS, ['recorder', 'copy'])],
        ),
        'devices-values.svg': barPlot(
          'Every value',
          ['McapWriter', 'recorder'],
          [panel('Values a second', all, VALUES, ['recorder', 'writer'])],
        ),
        'devices-delivery.svg': barPlot(
          'From devices to pages',
          ['aedes and ws', 'server'],
          [
            panel('Values a second', throughput, SIDES, ['relay', 'the relay']),
            panel('p50, one channel', calm, SIDES, ['relay', 'the relay']),
          ],
        ),
        'devices-memory.svg': barPlot(
          `Memory of a connected device, ${thousands(sizes.connected.devices)} of them`,
          ['bare aedes', 'server'],
          [panel('Resident', resident, SIDES, ['relay', 'aedes']), panel('JavaScript heap', heap, SIDES)],
        ),
      },
    }
  },
}

function levelTable(slope: readonly Level[]): string {
  return table(slope, [
    ['devices', ({ devices: each }) => thousands(each)],
    ['connected within', ({ connectSeconds }) => `${connectSeconds.toFixed(0)} s`],
    ['memory: bare aedes', ({ broker }) => kilobytes(broker.memory)],
    ['node', ({ node }) => kilobytes(node.memory)],
    ['PostgreSQL', ({ postgres }) => kilobytes(postgres.memory)],
    ['rows on disk', ({ rowBytes }) => kilobytes(rowBytes)],
    ['whole node', ({ nodeTotal }) => megabytes(nodeTotal)],
    ['CPU a second: bare aedes', ({ broker }) => microseconds(broker.cpu)],
    ['node', ({ node }) => microseconds(node.cpu)],
    ['PostgreSQL', ({ postgres }) => microseconds(postgres.cpu)],
  ])
}

/** From the largest level that was measured: an estimate, and said to be one. */
function millionTable(slope: readonly Level[], perSecond: number): string {
  const last = slope.at(-1)
  if (last === undefined) throw new Error('no level was measured')
  const gigabytes = (bytes: number) => `${((bytes * MILLION) / 1024 ** 3).toFixed(0)} GiB`
  const cores = (cpu: number) => `${((cpu * MILLION) / 1e6).toFixed(0)} cores`
  return table(
    [
      ['memory of the connections (nodes with their own broker)', gigabytes(last.node.memory)],
      ['of it what bare aedes takes', gigabytes(last.broker.memory)],
      ['CPU of nodes', cores(last.node.cpu)],
      ['CPU of PostgreSQL', cores(last.postgres.cpu)],
      ['rows of PostgreSQL', gigabytes(last.rowBytes)],
      ['values a second that one node brings to pages', thousands(perSecond)],
    ] as const,
    [
      ['', ([name]) => name],
      ['estimate', ([, figure]) => figure],
    ],
  )
}
