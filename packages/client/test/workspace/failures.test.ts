import { inspect } from 'node:util'
import { atLatest, deepTest } from '@patchbay/testkit/depth'
import { freePort } from '@patchbay/testkit/ports'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { connectWorkspace, Problem, Unanswered, UnexpectedResponse } from '../../src/workspace/index.ts'
import { type Asked, problem, startScriptedServer, type Turn } from './scripted-server.ts'

const KEY = 'pbk_very-secret'
const AT = { owner: 'ada', repo: 'board' }
const PANEL = '22222222-2222-4222-8222-222222222222'
const SHOWN: Turn = { body: { version: 3, tabs: [] } }
const EXECUTED: Turn = { body: { status: 'executed', id: PANEL, result: 2, expiresAt: '' } }

const open = (baseUrl: string, more: { deadlineMs?: number; signal?: AbortSignal } = {}) =>
  connectWorkspace({ baseUrl, apiKey: KEY, ...AT, ...more })

const tabIdOf = ({ body }: Asked) => (body as { tabId: string }).tabId

const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
  await work.then(
    () => 'it did not fail',
    (error: unknown) => error,
  )

test('[CL-100] an address that is not encrypted, and a missing or broken credential, are told without repeating them', () => {
  for (const options of [
    { baseUrl: 'http://patchbay.example.com', apiKey: KEY },
    { baseUrl: 'https://patchbay.example.com', apiKey: `${KEY}\n` },
    { baseUrl: 'https://patchbay.example.com', sessionToken: '' },
  ]) {
    expect(() => connectWorkspace({ ...options, ...AT })).toThrow(TypeError)
    expect(() => connectWorkspace({ ...options, ...AT })).toThrow(/^(?!.*(?:very-secret|example\.com))/s)
  }
})

test.concurrent('[CL-102] a refusal is a Problem with its code, what the server says and what it adds', async () => {
  await using server = await startScriptedServer({
    status: 409,
    body: { status: 409, code: 'singleton_exists', detail: 'Only one 3D viewer.', tabId: 't1' },
  })
  const error = await failureOf(open(server.url).addTab('viewer-3d'))
  expect(error).toBeInstanceOf(Problem)
  expect(error).toMatchObject({
    code: 'singleton_exists',
    status: 409,
    message: 'Only one 3D viewer.',
    extensions: { tabId: 't1' },
  })
})

test.concurrent('[CL-102] an answer that is not of the contract is told apart, and so is none at all', async () => {
  await using server = await startScriptedServer({ status: 200, headers: { 'content-type': 'text/html' } })
  expect(await failureOf(open(server.url).remove())).toBeInstanceOf(UnexpectedResponse)
  const gone = await failureOf(open(`http://localhost:${await freePort()}`).remove())
  expect(gone).toBeInstanceOf(Unanswered)
  expect(gone).toMatchObject({ isLate: false, message: 'the connection failed (ECONNREFUSED)' })
  server.answer('silence')
  expect(await failureOf(open(server.url, { deadlineMs: 300 }).remove())).toMatchObject({
    name: 'Unanswered',
    isLate: true,
  })
})

deepTest.concurrent('[CL-103] who was told to wait waits as long as told, and asks again', async () => {
  await using server = await startScriptedServer(
    problem('rate_limited', 429, { 'retry-after': '1' }),
    problem('shutting_down', 503),
    EXECUTED,
  )
  expect(await open(server.url).sandbox(PANEL).eval('1+1')).toMatchObject({ result: 2 })
  const [first, second, third] = server.asked.map(({ at }) => at)
  expect(server.asked).toHaveLength(3)
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(990)
  expect((third ?? 0) - (second ?? 0)).toBeGreaterThanOrEqual(240)
})

test.concurrent('[CL-103] a pause that is longer than the deadline is told at once', async () => {
  await using server = await startScriptedServer(problem('rate_limited', 429, { 'retry-after': '50' }))
  const started = performance.now()
  const error = await failureOf(open(server.url, { deadlineMs: 25_000 }).current())
  expect(error).toMatchObject({ code: 'rate_limited', headers: { 'retry-after': '50' } })
  expect(performance.now() - started).toBeLessThan(atLatest(5_000))
  expect(server.asked).toHaveLength(1)
})

test.concurrent('[CL-104] code is not sent again when the answer got lost, and neither are a reset and a removal', async () => {
  await using server = await startScriptedServer('hang up')
  const workspace = open(server.url)
  for (const work of [
    () => workspace.sandbox(PANEL).eval('1+1'),
    () => workspace.sandbox(PANEL).reset(),
    () => workspace.remove(),
    () => workspace.closeTab(PANEL),
    () => workspace.screenshot({ scope: 'workspace' }),
    () => workspace.webview(PANEL).refresh(),
  ]) {
    const before = server.asked.length
    expect(await failureOf(work())).toBeInstanceOf(Unanswered)
    expect(server.asked.length - before).toBe(1)
  }
})

deepTest.concurrent(
  '[CL-104] what can be asked twice is, through a lost connection and a server that has to sort itself out',
  async () => {
    await using server = await startScriptedServer('hang up', problem('database_unavailable', 503), SHOWN)
    expect(await open(server.url).current()).toMatchObject({ version: 3 })
    expect(server.asked).toHaveLength(3)
    server.answer('hang up')
    expect(await failureOf(open(server.url).current())).toBeInstanceOf(Unanswered)
    expect(server.asked).toHaveLength(6)
  },
)

test.concurrent('[CL-106] a tab that is added again after a lost answer is the same tab', async () => {
  const added = { status: 201, body: { tabId: 'as it was asked', panelId: PANEL, version: 4 } }
  await using server = await startScriptedServer('hang up', added)
  await open(server.url).addTab('webview')
  const ids = server.asked.map(tabIdOf)
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(ids).toEqual([ids[0], ids[0]])
  server.answer(added)
  await open(server.url).split('left', 'webview')
  expect(server.asked.slice(2).map(tabIdOf)).not.toEqual([ids[0]])
  expect(server.asked).toHaveLength(3)
})

test.concurrent('[CL-105] a redirect is not followed: nobody else is shown the key', async () => {
  await using elsewhere = await startScriptedServer(SHOWN)
  await using server = await startScriptedServer({ status: 307, headers: { location: elsewhere.url } })
  const error = await failureOf(open(server.url).current())
  expect(error).toBeInstanceOf(UnexpectedResponse)
  expect(String(error)).toContain('redirects elsewhere')
  expect(elsewhere.asked).toEqual([])
})

test.concurrent('[CL-105] an answer of more than 32 MiB is not kept', async () => {
  await using server = await startScriptedServer({ body: new Uint8Array(33 * 1024 * 1024) })
  const error = await failureOf(open(server.url).current())
  expect(String(error)).toContain('too large')
})

test.concurrent('[CL-107] an aborted signal ends a call and a pause at once, with its own reason', async () => {
  await using server = await startScriptedServer('silence')
  const controller = new AbortController()
  const reason = new Error('enough')
  const waiting = failureOf(open(server.url, { signal: controller.signal }).current())
  await waitUntil('the call was made', () => server.asked.length === 1)
  controller.abort(reason)
  expect(await waiting).toBe(reason)

  server.answer(problem('rate_limited', 429, { 'retry-after': '20' }))
  const other = new AbortController()
  const pausing = failureOf(open(server.url, { signal: other.signal }).current())
  await waitUntil('it was told to pause', () => server.asked.length === 2)
  const started = performance.now()
  other.abort(reason)
  expect(await pausing).toBe(reason)
  expect(performance.now() - started).toBeLessThan(atLatest(2_500))
})

test.concurrent('[CL-115] no failure repeats the key', async () => {
  await using server = await startScriptedServer()
  for (const turn of [
    'hang up',
    problem('credential_invalid', 401),
    { status: 302 },
    { status: 200 },
  ] as const) {
    server.answer(turn)
    const error = await failureOf(open(server.url).remove())
    expect(error).toBeInstanceOf(Error)
    const said = inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error)
    expect(said).not.toContain('very-secret')
  }
})
