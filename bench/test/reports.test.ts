import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { boards } from '../src/boards/bench.ts'
import { JOBS } from '../src/boards/jobs.ts'
import { devices } from '../src/devices/bench.ts'
import { files } from '../src/files/bench.ts'
import { gateway } from '../src/gateway/bench.ts'
import { identity } from '../src/identity/bench.ts'
import { OPERATIONS } from '../src/identity/operations.ts'
import { kernel } from '../src/kernel/bench.ts'
import { PATH } from '../src/kernel/route.ts'
import { panels } from '../src/panels/bench.ts'
import { startScript } from '../src/processes.ts'
import { ARCHIVE_HOSTS } from '../src/registry/archive-serving.ts'
import { registry } from '../src/registry/bench.ts'
import { SEARCHES } from '../src/registry/reading.ts'
import { SERVED } from '../src/registry/serving.ts'
import { measureValidation } from '../src/registry/validation.ts'
import { fillDocument, type Report } from '../src/report.ts'
import { viewer } from '../src/viewer/bench.ts'

// The figures here are made up, and every side has another one: a side that is left out or taken for another shows in
// the ratios. That the sides run, and the commands as a whole, is in the smoke runs (`*-smoke.deep.test.ts`).

const run = promisify(execFile)
const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url))

/** The document as it would be written: it has a place for every part, and for nothing else. */
function documentOf(name: string, { parts }: Report): string {
  const url = new URL(`../../docs/benchmarks/${name}.md`, import.meta.url)
  return fillDocument(readFileSync(url, 'utf8'), { machine: 'Here.', ...parts })
}

/** The cells of the row of this name in the part of the report that has this heading. */
function rowOf(report: string, section: string, name: string): string[] {
  const part = report.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? ''
  const line = part.split('\n').find((each) => each.startsWith(`| ${name} |`)) ?? ''
  return line
    .split('|')
    .slice(2, -1)
    .map((cell) => cell.trim())
}

/** All numbers in them, by where they are. */
function numbersIn(sizes: unknown, path = ''): [string, number][] {
  if (typeof sizes === 'number') return [[path, sizes]]
  return Object.entries(sizes as object).flatMap(([key, value]) => numbersIn(value, `${path}/${key}`))
}

function expectSmaller(smoke: object, whole: object): void {
  const full = new Map(numbersIn(whole))
  const larger = numbersIn(smoke).filter(([path, size]) => size > (full.get(path) ?? -1))
  expect(larger).toEqual([])
}

test('[BN-6] a run replaces the figures of its document and leaves the prose', () => {
  const document = 'It takes <!-- time -->1 ms<!-- / -->.\n\n<!-- rows -->\n\nold\n\n<!-- / -->\n'
  const filled = fillDocument(document, { time: '2 ms', rows: '| new |' })
  expect(filled).toBe('It takes <!-- time -->2 ms<!-- / -->.\n\n<!-- rows -->\n\n| new |\n\n<!-- / -->\n')
  expect(() => fillDocument(document, { time: '2 ms' })).toThrow('names rows')
  expect(() => fillDocument(document, { time: '', rows: '', other: '' })).toThrow('no place for other')
})

test('[BN-2] an unknown bench is refused with the ones there are', async () => {
  const refusal = run(process.execPath, [source('main.ts'), 'nothing'])
  await expect(refusal).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('kernel|gateway|identity|registry|panels|viewer'),
  })
})

test('[BN-1] the kernel bench has the same route on both sides, and tells both ratios', async () => {
  const answers = await Promise.all(
    ['bare', 'kernel'].map(async (side) => {
      await using server = await startScript(new URL(`../src/kernel/${side}-http.ts`, import.meta.url))
      const answer = await fetch(`http://127.0.0.1:${server.port}${PATH}`)
      return [answer.status, await answer.json()]
    }),
  )
  expect(answers).toEqual(Array.from({ length: 2 }, () => [200, { id: 'abc', ok: true }]))
  const loaded = (factor: number) => ({ perSecond: 1_000 * factor, p99Ms: 2 * factor, cpu: 10 * factor })
  const cost = (factor: number) => ({ rss: 4_096 * factor, heap: 2_048 * factor, process: 0 })
  const figures = {
    http: [{ bare: loaded(1), kernel: loaded(0.9) }],
    websocket: [{ bare: cost(1), kernel: cost(1.2) }],
  }
  const report = documentOf('kernel', kernel.report(figures, kernel.smoke))
  const http = 'HTTP: an empty validated route'
  expect(rowOf(report, http, 'requests per second').slice(0, 3)).toEqual(['1000', '900', '**0.90**'])
  expect(rowOf(report, http, 'CPU per request').slice(0, 3)).toEqual(['10.0 µs', '9.0 µs', '0.90'])
  const memory = 'WebSocket: memory of an idle connection'
  expect(rowOf(report, memory, 'resident memory').slice(0, 3)).toEqual(['4.0 KiB', '4.8 KiB', '**1.20**'])
  expect(rowOf(report, memory, 'JavaScript heap').slice(0, 3)).toEqual(['2.0 KiB', '2.4 KiB', '1.20'])
  expectSmaller(kernel.smoke, kernel.full)
})

test('[BN-3] the gateway bench tells every ratio, of all sides', () => {
  const cpu = { nodes: 60, redis: 20 }
  const cost = (factor: number) => ({
    perSecond: 1_000 * factor,
    p50Ms: factor,
    p99Ms: 2 * factor,
    cpu,
    register: { perSecond: 500 * factor, p99Ms: 3 * factor, cpu },
  })
  const callbacks = [{ gateway: cost(3), script: cost(4), acknowledged: cost(2) }]
  const held = (factor: number) => ({
    process: 8_192_000 * factor,
    rss: 8_192 * factor,
    heap: 4_096 * factor,
    registration: factor,
  })
  const figures = {
    callbacks: { balanced: callbacks, crossing: callbacks, steady: callbacks, rate: 2_000 },
    flows: callbacks,
    pending: gateway.smoke.pending.levels.map((pending) => ({
      pending,
      rounds: [{ gateway: { ...cost(1), cpu: { nodes: 60, redis: 30 } }, script: cost(1) }],
    })),
    memory: [{ bare: held(1), 'one node': held(2), 'on Redis': held(3) }],
  }
  const report = documentOf('gateway', gateway.report(figures, gateway.smoke))
  const rows = {
    'Callbacks, as a balancer spreads them': ['callbacks per second', 'p50', 'p99'],
    'Callbacks that all cross nodes': ['callbacks per second', 'p99'],
    'Latency at a steady rate': ['p50', 'p99'],
    Registering: ['registers per second', 'p99'],
    'The whole flow': ['flows per second'],
  }
  for (const [section, names] of Object.entries(rows)) {
    for (const name of names) {
      const ratios = rowOf(report, section, name).slice(3, 5)
      expect(
        ratios.map((cell) => Number(cell.replaceAll('*', ''))),
        `${section}, ${name}`,
      ).toEqual([0.75, 1.5])
    }
  }
  const memory = (name: string) => rowOf(report, 'Memory of idle sockets', name).slice(0, 5)
  expect(memory('JavaScript heap of a socket')).toEqual(['4.0 KiB', '8.0 KiB', '12.0 KiB', '2.00', '3.00'])
  expect(memory('the whole process')).toEqual(['8 MiB', '16 MiB', '23 MiB', '2.00', '3.00'])
  for (const pending of ['100', '1,000'])
    expect(rowOf(report, 'Cost against pending registrations', pending)).toEqual(['80 µs', '90 µs'])
  expectSmaller({ ...gateway.smoke, pending: {} }, gateway.full)
})

test('[BN-10] the identity bench tells every operation, streams and wake-ups, of all sides', () => {
  const cost = (factor: number) => ({
    perSecond: 1_000 * factor,
    cpu: { client: 40, postgres: 30, generator: 5 },
  })
  const rounds = [{ server: cost(1), loop: cost(2), pgbench: cost(3) }]
  const held = (factor: number) => ({
    process: 8_192_000 * factor,
    rss: 8_192 * factor,
    heap: 4_096 * factor,
  })
  const woken = (factor: number) => ({
    p50Ms: factor,
    p99Ms: 2 * factor,
    maxMs: 3 * factor,
    afterAnswerP50Ms: -factor,
    afterAnswerP99Ms: factor,
  })
  const figures = {
    throughput: { create: rounds, poll: rounds, pollBare: rounds, link: rounds },
    memory: [{ bare: held(1), 'one node': held(2), 'on Redis': held(3) }],
    wake: [{ alone: woken(4), crowded: woken(5) }],
  }
  const report = documentOf('identity', identity.report(figures, identity.smoke))
  expect(OPERATIONS).toHaveLength(4)
  for (const name of ['create', 'poll, with a verifier', 'poll, bare', 'link'])
    expect([name, ...rowOf(report, 'Create, poll and link', name).slice(0, 4)]).toEqual([
      name,
      '2000',
      '3000',
      '1000',
      '**0.50**',
    ])
  expect(rowOf(report, 'Memory of open streams', 'JavaScript heap of a stream').slice(0, 4)).toEqual([
    '4.0 KiB',
    '8.0 KiB',
    '12.0 KiB',
    '2.00 (2.00 to 2.00)',
  ])
  const wakes = rowOf(report, 'Waking', 'p99, from the approval sent')
  expect([wakes[0], wakes[2]]).toEqual(['8.0 ms', '10.0 ms'])
  expectSmaller(identity.smoke, identity.full)
})

test('[BN-20] the registry bench tells validation, which it measures, serving, downloading, publishing and reading, of all sides', async () => {
  const validation = await measureValidation({ packages: 5, seconds: 0.02, rounds: 1 })
  // Too short to judge, but a side that did not run would be 0 or not a number.
  for (const rate of Object.values(validation.synthetic[0] ?? {})) expect(rate).toBeGreaterThan(10)
  const served = (factor: number) => ({ perSecond: 1_000 * factor, cpu: 10 * factor })
  const serving = [{ nginx: served(4), deployed: served(2), server: served(1) }]
  const loaded = (factor: number) => ({ megabytesPerSecond: 100 * factor, cpu: factor })
  const published = (factor: number) => ({
    p50Ms: 20 * factor,
    p99Ms: 30 * factor,
    cpuMs: { server: 5 * factor, postgres: 3 * factor },
    late: 0,
  })
  const looped = (factor: number) => ({
    operations: 10,
    perSecond: 1_000 / factor,
    p50Ms: factor,
    p99Ms: 2 * factor,
  })
  const reading = [{ sql: looped(1), server: looped(2) }]
  const all = <Name extends string, Value>(names: readonly Name[], value: Value) =>
    Object.fromEntries(names.map((name) => [name, value])) as Record<Name, Value>
  const size = { packages: 100, unsigned: published(1), signed: published(2), firstSigningSeconds: 1 }
  const figures = {
    validation: { synthetic: [{ ajv: 2_000, ours: 1_800 }], real: undefined },
    download: [{ openssl: loaded(4), manager: loaded(3), curl: loaded(6) }],
    archives: {
      hosts: ['nginx', 'files'] as const,
      costs: [
        {
          bytes: 20_000,
          connections: 32,
          rounds: [{ ...all(ARCHIVE_HOSTS, served(1)), nginx: served(4), files: served(2) }],
        },
      ],
    },
    scale: {
      serving: { rounds: all(SERVED, serving), bytes: all(SERVED, 500) },
      withWholeFeed: published(3),
      sizes: [size],
      reading: { sparse: reading, search: all(SEARCHES, reading) },
    },
  }
  const report = documentOf('registry', registry.report(figures, registry.smoke))
  const made = rowOf(report, 'Validation', 'made up, three versions each')
  expect(made.slice(0, 3)).toEqual(['2,000', '1,800', '**0.90**'])
  for (const name of [
    'packages.json, br',
    'packages.json, gzip',
    'packages.json, 304',
    'repository.json',
    'repository.json, 304',
  ])
    expect(rowOf(report, 'Serving the index', name).slice(1, 5)).toEqual([
      '4,000',
      '2,000',
      '1,000',
      '**0.50**',
    ])
  const archive = rowOf(report, 'Serving archives', '20,000')
  expect(archive.slice(1, 7)).toEqual([
    '4,000',
    'not here',
    '2,000',
    'not here',
    'not here',
    '**0.50** (0.50 to 0.50), ≥ 0.4: reached',
  ])
  const download = (name: string) => rowOf(report, 'Downloading', name)
  expect(download('package manager, to disk and checked')[0]).toBe('300 MiB/s')
  expect(download('`openssl dgst -sha256`, no network, nothing written')[2]).toBe('**0.75**')
  expect(download('`curl` to disk, nothing checked')[2]).toBe('0.50')
  const publishing = rowOf(report, 'Publishing while others are there', '100')
  expect([publishing[0], publishing[3]]).toEqual(['20 ms', '40 ms'])
  const search = rowOf(report, 'Sparse files and search', 'two words and these filters')
  expect([search[0], search[2], search[4]]).toEqual(['1.0 ms', '2.0 ms', '0.50'])
  expect(report).toContain('Sparse files: 500 a second')
  expectSmaller(registry.smoke, registry.full)
})

test('[BN-30] the panels bench tells round trips and memory, of all sides', () => {
  const times = (factor: number) => ({ p50Ms: factor, p99Ms: 2 * factor, perSecond: 100 * factor })
  const trips = [{ bare: times(1), statements: times(2), server: times(3) }]
  const held = (factor: number) => ({ process: 2 ** 20 * factor, rss: 8_192 * factor, heap: 4_096 * factor })
  const figures = {
    trips: { alone: trips, crowded: trips },
    memory: [{ bare: held(1), 'one node': held(2), 'on Redis': held(3) }],
  }
  const report = documentOf('panels', panels.report(figures, panels.smoke))
  for (const section of ['Round trip, one at a time', `Round trip, ${panels.full.trips.crowd} at once`]) {
    for (const [name, cells] of [
      ['p50', ['1.00 ms', '2.00 ms', '3.00 ms', '**3.00**']],
      ['p99', ['2.00 ms', '4.00 ms', '6.00 ms', '**3.00**']],
      ['actions per second', ['100', '200', '300', '**3.00**']],
    ] as const) {
      const row = rowOf(report, section, name)
      expect([row.slice(0, 4), row.at(-1)], `${section}, ${name}`).toEqual([cells, '1.50'])
    }
  }
  const heap = rowOf(report, 'Memory of open workspaces', 'JavaScript heap of an open workspace')
  expect(heap).toEqual(['4.0 KiB', '8.0 KiB', '12.0 KiB'])
  expectSmaller(panels.smoke, panels.full)
})

test('[BN-40] the viewer bench tells pastes, of both sides, and the longest block', () => {
  const times = (factor: number, longestBlockMs: number) => ({
    aloneMs: 100 * factor,
    togetherMs: 200 * factor,
    longestBlockMs,
  })
  const figures = { bytes: 2_000_000, rounds: [{ bare: times(2, Number.NaN), viewer: times(3, 12.5) }] }
  const report = documentOf('viewer', viewer.report(figures, viewer.smoke))
  const row = (name: string) => report.split('\n').find((line) => line.startsWith(`| ${name} | `))
  expect(row('one paste')).toContain('| 200 ms | 300 ms | **1.50** |')
  expect(row('2 pastes at once')).toContain('| 400 ms | 600 ms | **1.50** |')
  expect(report).toContain('nobody else was <!-- block -->**12.5 ms**')
  expectSmaller(viewer.smoke, viewer.full)
})

test('[BN-65][BN-67] the bench of boards tells first pictures, and jobs by hand and through the service, new and asked again', () => {
  const pictures = [
    {
      name: 'lamp',
      bytes: 500_000,
      rounds: [
        { coldMs: 1_000, keptMs: 200 },
        { coldMs: 900, keptMs: 310 },
        { coldMs: 3_200, keptMs: 400 },
      ],
    },
  ]
  const times = (newMs: number, againMs: number) => ({ newMs, againMs })
  const jobs = JOBS.map(({ name }, at) => ({
    name,
    rounds: [{ hand: times(1_000, Number.NaN), service: times(1_100 + 200 * at, 40 + 20 * at) }],
  }))
  const report = documentOf('boards', boards.report({ pictures, jobs }, boards.smoke))
  expect(rowOf(report, 'First pictures', 'lamp, 0.5 MB')).toEqual([
    '1000 ms',
    '900.0 to 3200 ms',
    '≤ 3000: reached',
    '310 ms',
    '200.0 to 400 ms',
    '≤ 300: not reached',
  ])
  expect(rowOf(report, 'Jobs', 'ERC')).toEqual([
    '1000 ms',
    '1100 ms',
    '**1.10**',
    '1.10 to 1.10',
    '≤ 1.2: reached',
    '40 ms',
    '≤ 50: reached',
  ])
  expect(rowOf(report, 'Jobs', 'DRC').slice(4)).toEqual(['≤ 1.2: not reached', '80 ms', '≤ 50: not reached'])
  expectSmaller(boards.smoke, boards.full)
})

test('[BN-60][BN-62] the bench of devices tells recording, delivery, connections and stops, of all sides', () => {
  const arrived = (ms: number) => ({ values: 1, messages: 10, p50Ms: ms, p99Ms: 2 * ms, lastAt: 1 })
  const delivered = (factor: number) => ({
    perSecond: 10_000 / factor,
    cpuMicroseconds: 20 * factor,
    calm: arrived(factor),
    busy: arrived(5 * factor),
  })
  const memory = (factor: number) => ({
    rss: 10_240 * factor,
    heap: 1_024 * factor,
    process: 2 ** 20 * factor,
  })
  const cost = (factor: number) => ({ memory: 1_024 * factor, cpu: 10 * factor })
  const figures = {
    recording: {
      numbers: [{ copy: 100_000, unnest: 40_000, recorder: 70_000 }],
      values: [{ writer: 100_000, recorder: 50_000 }],
    },
    delivery: [{ relay: delivered(1), server: delivered(2) }],
    connected: [{ relay: memory(4), server: memory(5) }],
    stops: { p50Ms: 5, p99Ms: 120, longestMs: 150, answerP50Ms: 7, rate: 9_990 },
    slope: [
      {
        devices: 16_000,
        connectSeconds: 30,
        broker: cost(1),
        node: cost(2),
        postgres: cost(3),
        nodeTotal: 2 ** 30,
        rowBytes: 4_096,
      },
    ],
  }
  const whole = devices.report(figures, devices.full)
  const report = documentOf('devices', whole)
  expect(rowOf(report, 'Numbers by the second', 'rows a second')).toEqual([
    '100,000',
    '40,000',
    '70,000',
    '**0.40**',
    '**0.70**',
    '0.70 to 0.70',
    '≥ 0.6: reached',
  ])
  expect(rowOf(report, 'Every value', 'values a second')).toEqual([
    '100,000',
    '50,000',
    '**0.50**',
    '0.50 to 0.50',
    '≥ 0.6: not reached',
  ])
  for (const [name, cells] of [
    ['values a second', ['10,000', '5,000', '0.50', '0.50 to 0.50', '≥ 0.6: not reached']],
    ['CPU of a value', ['20 µs', '40 µs', '2.00', '2.00 to 2.00', '']],
    ['p50, one channel', ['1.0 ms', '2.0 ms', '2.00', '2.00 to 2.00', '≤ 1.5: not reached']],
    ['p50, all channels', ['5.0 ms', '10.0 ms', '2.00', '2.00 to 2.00', '']],
  ] as const)
    expect(rowOf(report, 'From devices to pages', name)).toEqual(cells)
  expect(rowOf(report, 'Connected devices', 'resident memory of a connected device')).toEqual([
    '40.0 KiB',
    '50.0 KiB',
    '1.25',
    '1.25 to 1.25',
    '≤ 1.3: reached',
  ])
  expect(rowOf(report, 'Emergency stop', '100')).toEqual([
    '9,990',
    '5.0 ms',
    '120.0 ms',
    '150.0 ms',
    '7.0 ms',
    '≤ 100: not reached',
  ])
  expect(report).toContain('p99 of a stop in ms, 120.00 instead of 100')
  const url = new URL('../../docs/scale/devices.md', import.meta.url)
  const scale = fillDocument(readFileSync(url, 'utf8'), { machine: 'Here.', ...whole.scale })
  expect(rowOf(scale, 'What a device costs', '16,000')).toEqual([
    '30 s',
    '1.0 KiB',
    '2.0 KiB',
    '3.0 KiB',
    '4.0 KiB',
    '1024 MiB',
    '10 µs',
    '20 µs',
    '30 µs',
  ])
  expect(rowOf(scale, 'One million devices', 'CPU of nodes')).toEqual(['20 cores'])
  expectSmaller(devices.smoke, devices.full)
})

test('[BN-64] a document of `docs/scale` names what the run measures, and nothing else', () => {
  const document = readFileSync(new URL('../../docs/scale/devices.md', import.meta.url), 'utf8')
  expect(() => fillDocument(document, { machine: 'Here.' })).toThrow('which is not measured')
})

test('[BN-50] the bench of files tells copies, a pull, listing and reading, of all sides', () => {
  const load = (factor: number) => ({ requests: 1, perSecond: 1_000 * factor, p50Ms: 1, p99Ms: 1 })
  const served = (factor: number) => ({ list: load(factor), read: load(2 * factor) })
  const report = documentOf(
    'files',
    files.report(
      {
        tree: { files: 10_000, bytes: 2 ** 30 },
        pushMs: 90_000,
        copies: [{ rsync: 2_000, clone: 5_000 }],
        pullMs: [700],
        serving: [{ bare: served(4), 'with key': served(2), server: served(1) }],
      },
      files.smoke,
    ),
  )
  expect(rowOf(report, 'A clone against rsync', 'whole tree').slice(0, 3)).toEqual([
    '2000 ms',
    '5000 ms',
    '**2.50**',
  ])
  for (const [name, cells] of [
    ['pages of 200 files per second', ['4,000', '2,000', '1,000', '0.25', '**0.50**']],
    ['files of 4 KiB per second', ['8,000', '4,000', '2,000', '0.25', '**0.50**']],
  ] as const)
    expect(rowOf(report, 'Listing and reading', name).slice(0, 5)).toEqual(cells)
  expect(report).toContain('without changes: <!-- pull -->**700 ms**')
  expectSmaller(files.smoke, files.full)
})
