import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { startTraceReceiver } from '@patchbay/testkit/trace-receiver'
import { expect } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { defineConfig, sharedSettings } from '../../src/config/index.ts'
import { Secret } from '../../src/log/index.ts'
import type { Tracing } from '../../src/tracing/index.ts'
import { openTestTracing } from './rig.ts'

const begin = (tracing: Tracing, name: string) =>
  tracing.begin({
    name,
    attributes: { word: 'w', whole: 2, part: 0.5 },
    limit: { of: 'test', perSecond: 1e9 },
  })

test('[K-721] a receiver gets what OTLP asks for, with the names of the process and the headers of the settings', async () => {
  await using receiver = await startTraceReceiver()
  const settings = { traceHeaders: new Secret('x-key=a%20b, x-other=c') }
  await using rig = await openTestTracing(receiver.url, { settings })
  begin(rig.tracing, 'one')?.end('not_found')
  expect(await receiver.find('one')).toMatchObject({
    service: 'patchbay-test',
    instance: 'n1',
    kind: 'internal',
    attributes: { word: 'w', whole: 2, part: 0.5, 'error.type': 'not_found' },
    isFaulty: true,
  })
  expect(receiver.headers[0]).toMatchObject({ 'x-key': 'a b', 'x-other': 'c' })
})

deepTest(
  '[K-722] while the receiver is away spans wait, what is more is dropped and counted, and the rest arrives',
  async () => {
    await using receiver = await startTraceReceiver()
    await using rig = await openTestTracing(receiver.url)
    receiver.answer(503)
    for (let at = 0; at < 5_000; at += 1) begin(rig.tracing, `span ${at}`)?.end()
    expect(await rig.count('dropped')).toBe(904)
    await waitUntil('it is known to be away', () =>
      rig.lines.some((line) => line.includes('cannot be reached')),
    )
    receiver.answer(200)
    await receiver.find('span 4095')
    expect(receiver.spans).toHaveLength(4_096)
    await waitUntil('all are counted', async () => (await rig.count('exported')) === 4_096)
    const about = rig.lines.filter((line) => line.includes('receive'))
    expect(about.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'the trace receiver cannot be reached, retrying',
      'traces are received again',
    ])
  },
)

test('[K-722] nobody waits for a receiver that hangs', async () => {
  await using receiver = await startTraceReceiver()
  const rig = await openTestTracing(receiver.url, { times: { deadlineMs: 50, closeMs: 20 } })
  receiver.answer(0)
  const work = rig.tracing.within(begin(rig.tracing, 'root'), () =>
    rig.tracing.step(
      () => ({ name: 'step' }),
      async () => 'done',
    ),
  )
  expect(await work).toBe('done')
  await waitUntil('it is given up', () => rig.lines.some((line) => line.includes('TimeoutError')))
  await rig.tracing.close()
  expect(await rig.count('dropped')).toBe(1)
})

test('[K-722] what is refused is not repeated, and a redirect is not followed', async () => {
  await using receiver = await startTraceReceiver()
  await using other = await startTraceReceiver()
  await using rig = await openTestTracing(receiver.url)
  receiver.answer(401)
  begin(rig.tracing, 'refused')?.end()
  await waitUntil('it is refused', async () => (await rig.count('refused')) === 1)
  receiver.answer(307, { location: `${other.url}/v1/traces` })
  begin(rig.tracing, 'sent on')?.end()
  await waitUntil('it was tried', () => rig.lines.some((line) => line.includes('cannot be reached')))
  receiver.answer(200)
  await receiver.find('sent on')
  expect([receiver.spans.length, other.spans.length]).toEqual([1, 0])
})

test('[K-723] a process that stops sends what is left, and waits no longer than it may', async () => {
  await using receiver = await startTraceReceiver()
  const patient = { times: { collectMs: 60_000 } }
  const rig = await openTestTracing(receiver.url, patient)
  begin(rig.tracing, 'last')?.end()
  await rig.tracing.close()
  expect(receiver.spans.map(({ name }) => name)).toEqual(['last'])
  begin(rig.tracing, 'too late')?.end()
  expect(await rig.count('dropped')).toBe(1)

  receiver.answer(0)
  const hung = await openTestTracing(receiver.url, { times: { collectMs: 60_000, closeMs: 10 } })
  begin(hung.tracing, 'lost')?.end()
  await hung.tracing.close()
  expect(await hung.count('dropped')).toBe(1)
})

test('[K-724][K-107] headers and shares that are malformed are faults, and none repeats a header', () => {
  const { traceEndpoint, traceHeaders, traceRatio } = sharedSettings
  const definition = defineConfig({ process: 'p', settings: { traceEndpoint, traceHeaders, traceRatio } })
  const read = (environment: Record<string, string>) => () => readConfig(definition, environment)
  const sound = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b,c=d',
    PATCHBAY_TRACE_RATIO: '.5',
  }
  expect(read(sound)()).toMatchObject({ traceEndpoint: 'http://127.0.0.1:4318', traceRatio: 0.5 })
  for (const headers of ['hush', 'hush=%', 'a=b,,hush=c', 'hush hush=1']) {
    expect(read({ OTEL_EXPORTER_OTLP_HEADERS: headers })).toThrow('OTEL_EXPORTER_OTLP_HEADERS')
    expect(read({ OTEL_EXPORTER_OTLP_HEADERS: headers })).not.toThrow('hush')
  }
  for (const ratio of ['2', '-1', 'all', '1e-1'])
    expect(read({ PATCHBAY_TRACE_RATIO: ratio })).toThrow('between 0 and 1')
})
