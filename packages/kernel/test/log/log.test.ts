import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { createLog, Secret } from '../../src/log/index.ts'
import { createMetrics, observeGauge, tally } from '../../src/metrics/index.ts'

test('[K-705] a secret shows [secret] wherever it is printed', () => {
  const secret = new Secret('tok_abc')
  const lines: string[] = []
  const log = createLog({
    level: 'info',
    process: 'test',
    destination: { write: (line) => lines.push(line) },
  })
  log.info({ secret, nested: { secret } }, `with ${secret}`)
  const shown = [
    String(secret),
    `${secret}`,
    `x${secret}`,
    JSON.stringify({ secret }),
    inspect({ secret }, { depth: 9 }),
    ...lines,
  ]
  for (const text of shown) {
    expect(text).toContain('[secret]')
    expect(text).not.toContain('tok_abc')
  }
  expect(Object.keys(secret)).toEqual([])
  expect(secret.reveal()).toBe('tok_abc')
})

test('[K-706] a line is one JSON object with level, time, process and node', () => {
  const lines: string[] = []
  createLog({
    level: 'info',
    process: 'server',
    node: 'n1',
    destination: { write: (line) => lines.push(line) },
  }).info('hello')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'info',
    process: 'server',
    node: 'n1',
    msg: 'hello',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
  })
})

test('[K-706] F7: on a terminal it is one readable line, in which nothing moves the cursor', () => {
  const lines: string[] = []
  const log = createLog({
    level: 'info',
    process: 'server',
    node: 'n1',
    destination: { write: (line) => lines.push(line) },
    isReadable: true,
  })
  log.info({ url: 'http://localhost:1', count: 2 }, 'listening')
  log.warn({ from: 'a\u001b[2Jb\u202e' })
  log.error({ err: new TypeError('no\u0007 bus') }, 'failed')
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d info {2}listening url=http:\/\/localhost:1 count=2\n$/)
  expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d warn {2}from=a\[2Jb\n$/)
  expect(lines[2]).toMatch(/^\d\d:\d\d:\d\d error failed\n {2}TypeError: no bus\n {6}at /)
})

test('[K-707] two registries in one process do not count into each other', async () => {
  const [a, b] = [createMetrics('a'), createMetrics('b')]
  expect(await a.metrics()).toContain('process="a"')
  expect(await b.metrics()).not.toContain('process="a"')
})

test('[K-709] a gauge shows what its owner says at the time of the scrape', async () => {
  const metrics = createMetrics('a')
  let open = 1
  observeGauge(metrics, {
    name: 'connections',
    help: 'Connections',
    label: 'state',
    read: () => ({ open, idle: 0 }),
  })
  expect(await metrics.metrics()).toContain('connections{state="open",process="a"} 1')
  open = 7
  expect(await metrics.metrics()).toContain('connections{state="open",process="a"} 7')
})

test('[K-713] a number that cannot be had is left out, and the others are shown', async () => {
  const metrics = createMetrics('a')
  let isAway = false
  const ask = <Value>(value: Value) => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(value))
  observeGauge(metrics, { name: 'jobs', help: 'Jobs', label: 'state', read: () => ask({ queued: 3 }) })
  observeGauge(metrics, { name: 'age', help: 'Age', read: () => ask(12) })
  observeGauge(metrics, { name: 'sockets', help: 'Sockets', read: () => 5 })
  const shown = async () =>
    (await metrics.metrics()).split('\n').filter((line) => /^(?:jobs|age|sockets)/.test(line))
  const all = ['jobs{state="queued",process="a"} 3', 'age{process="a"} 12', 'sockets{process="a"} 5']
  expect(await shown()).toEqual(all)
  isAway = true
  expect(await shown()).toEqual(all.slice(2))
  isAway = false
  expect(await shown()).toEqual(all)
})

test('[K-710] a tally shows each value from the start and counts no other', async () => {
  const metrics = createMetrics('a')
  const count = tally<'done' | 'lost'>(metrics, {
    name: 'ends',
    help: 'Ends',
    label: 'how',
    values: ['done', 'lost'],
  })
  count('done')
  count('done')
  count('invented' as 'done')
  const lines = (await metrics.metrics()).split('\n').filter((line) => line.startsWith('ends{'))
  expect(lines).toEqual(['ends{how="done",process="a"} 2', 'ends{how="lost",process="a"} 0'])
})
