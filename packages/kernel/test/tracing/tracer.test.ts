import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { Problem } from '@patchbay/contracts/core'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/clock/index.ts'
import { statementStep } from '../../src/postgres/statement-step.ts'
import type { FinishedSpan } from '../../src/tracing/otlp.ts'
import { parseTraceparent } from '../../src/tracing/trace-context.ts'
import { createTracer } from '../../src/tracing/tracer.ts'

const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const UNKEPT = PARENT.replace(/01$/, '00')

function trace(ratio = 1) {
  const ended: FinishedSpan[] = []
  const createId = (bytes: number) => randomBytes(bytes).toString('hex')
  const tracer = createTracer({ clock: systemClock, ratio, createId, onEnd: (span) => void ended.push(span) })
  const begin = (more: { parent?: string; links?: string[] } = {}, perSecond = 1_000_000) =>
    tracer.begin({ name: 'work', limit: { of: 'work', perSecond }, ...more })
  return { tracer, ended, begin }
}

test('[K-715] with no receiver nothing is traced, and nothing of tracing is loaded but what looks', async () => {
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    const { openTracing } = await import(${JSON.stringify(import.meta.resolve('../../src/tracing/index.ts'))})
    const tracing = await openTracing({ settings: { traceEndpoint: undefined } })
    const names = loaded.filter((url) => url.includes('/tracing/')).map((url) => url.split('/').at(-1))
    console.log(JSON.stringify({ isOff: tracing === undefined, names }))`
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  expect(JSON.parse((await run).stdout)).toEqual({ isOff: true, names: ['index.ts', 'open-tracing.io.ts'] })
})

test('[K-716] steps lie below what they were made for, also of work that goes on beside', async () => {
  const { tracer, ended, begin } = trace()
  const root = begin()
  await tracer.within(root, () =>
    Promise.all(
      ['a', 'b'].map((name) =>
        tracer.step(
          () => ({ name }),
          async () => {
            await new Promise(setImmediate)
            await tracer.step(
              () => ({ name: `${name} inside` }),
              async () => undefined,
            )
          },
        ),
      ),
    ),
  )
  root?.end()
  const idOf = (name: string) => ended.find((span) => span.name === name)?.spanId
  const parents = ended.map(({ name, parentId }) => [name, parentId] as const)
  expect(Object.fromEntries(parents)).toEqual({
    work: undefined,
    a: idOf('work'),
    b: idOf('work'),
    'a inside': idOf('a'),
    'b inside': idOf('b'),
  })
  expect(new Set(ended.map(({ traceId }) => traceId)).size).toBe(1)
  expect(ended.every(({ begunAt, endedAt }) => begunAt <= endedAt)).toBe(true)
})

test('[K-717] what fails is told by a code, never by its message, and work fails as it would', async () => {
  const { tracer, ended, begin } = trace()
  const fail = (cause: Error) =>
    tracer
      .step(
        () => ({ name: 'fails' }),
        () => Promise.reject(cause),
      )
      .catch((thrown: unknown) => thrown)
  const errors = [
    new Problem('not_found', { detail: 'ada was here' }),
    Object.assign(new Error('ada'), { code: 'ECONNREFUSED' }),
    Object.assign(new TypeError('ada'), { code: 'ada lovelace' }),
  ]
  const thrown = await tracer.within(begin(), () => Promise.all(errors.map(fail)))
  expect(thrown).toEqual(errors)
  expect(ended.map(({ fault }) => fault)).toEqual(['not_found', 'ECONNREFUSED', 'TypeError'])
})

test('[K-717] a statement is shown by its text, without what it quotes', () => {
  expect(
    statementStep(`select "id" from "people"\n  where handle = $1 and note = 'it''s ada'`),
  ).toMatchObject({
    name: 'sql select people',
    attributes: { 'db.query.text': `select "id" from "people" where handle = $1 and note = '?'` },
  })
  const named = (text: string) => statementStep(text).name
  expect(named('with a as (select 1 from b) update jobs set x = $1')).toBe('sql select b')
  expect(named('begin')).toBe('sql begin')
  expect(named('select pg_advisory_xact_lock($1)')).toBe('sql select')
})

test('[K-718] whoever may name a trace continues it, and is kept when it is; others are linked, and what is malformed is nothing', () => {
  const { ended, begin } = trace()
  begin({ parent: PARENT })?.end()
  expect(begin({ parent: UNKEPT })).toBeUndefined()
  begin({ links: [UNKEPT, 'nonsense'] })?.end()
  begin({ parent: 'nonsense' })?.end()
  const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  expect(ended[0]).toMatchObject({ traceId, parentId: spanId })
  expect(ended[1]).toMatchObject({ parentId: undefined, links: [{ traceId, spanId }] })
  expect(ended[1]?.traceId).not.toBe(traceId)
  expect(ended[2]).toMatchObject({ parentId: undefined, links: [] })
})

test('[K-718] only what is a traceparent is read as one', () => {
  expect(parseTraceparent(PARENT)).toMatchObject({ isSampled: true })
  expect(parseTraceparent(PARENT.replace(/^00/, 'cc') + '-more')).toMatchObject({ isSampled: true })
  const bad = [
    '',
    `${PARENT}-more`,
    PARENT.toUpperCase(),
    PARENT.replace(/^00/, 'ff'),
    PARENT.replace('4bf92f3577b34da6a3ce929d0e0e4736', '0'.repeat(32)),
    PARENT.replace('00f067aa0ba902b7', '0'.repeat(16)),
    PARENT.replace(/^00/, 'cc') + '-'.repeat(1_000),
  ]
  expect(bad.map(parseTraceparent)).toEqual(bad.map(() => undefined))
})

test('[K-720] of the traces that begin here a share is kept, and so many in a second', () => {
  const kept = (ratio: number) => {
    const { begin } = trace(ratio)
    return Array.from({ length: 4_000 }, () => begin()).filter((span) => span !== undefined).length
  }
  expect([kept(0), kept(1)]).toEqual([0, 4_000])
  expect(kept(0.25)).toBeGreaterThan(800)
  expect(kept(0.25)).toBeLessThan(1_200)
  const { begin } = trace()
  const at = performance.now()
  const begun = Array.from({ length: 500 }, () => begin({}, 100)).filter((span) => span !== undefined)
  expect(begun.length).toBeGreaterThanOrEqual(100)
  expect(begun.length).toBeLessThanOrEqual(100 * (2 + (performance.now() - at) / 1_000))
})

test('[K-720] what goes on and on is not traced without end', async () => {
  const { tracer, ended, begin } = trace()
  let done = 0
  await tracer.within(begin(), async () => {
    for (let at = 0; at < 1_500; at += 1)
      await tracer.step(
        () => ({ name: 'again' }),
        async () => (done += 1),
      )
  })
  expect([done, ended.length]).toEqual([1_500, 1_000])
})

test('[K-720] work that is not traced is done, and nobody asks what it is', async () => {
  const { tracer, ended } = trace(0)
  const describe = () => {
    throw new Error('asked')
  }
  expect(await tracer.step(describe, async () => 1)).toBe(1)
  expect(await tracer.resume(undefined, describe, async () => 2)).toBe(2)
  expect(await tracer.resume(UNKEPT, describe, async () => 3)).toBe(3)
  expect(ended).toEqual([])
})
