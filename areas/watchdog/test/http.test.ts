import { request } from 'node:http'
import { openApiDocument } from '@patchbay/contracts/core'
import {
  getWatchdogStatus,
  postRestart,
  postStart,
  postStop,
  postWatchdog,
} from '@patchbay/contracts/gateway'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { startTestWatchdog, type TestWatchdog } from './start.ts'

const COMMANDS = ['/start', '/stop', '/restart', '/watchdog']

/** `fetch` sets Host and the Sec-Fetch headers itself; a hostile client does not ask. */
async function send(url: string, headers: Record<string, string>, method = 'POST') {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>()
  request(url, { method, headers }, (response) => {
    let body = ''
    response.on('data', (chunk: Buffer) => (body += chunk.toString()))
    response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
  })
    .on('error', reject)
    .end()
  return await promise
}

describe('without a token', () => {
  let dog: TestWatchdog
  beforeAll(async () => {
    dog = await startTestWatchdog()
    await dog.until('healthy')
  })
  afterAll(() => dog[Symbol.asyncDispose]())

  test.each(
    COMMANDS.flatMap(
      (path) =>
        [
          [path, { origin: 'https://evil.example' }],
          [path, { origin: 'null' }],
          [path, { origin: 'http://127.0.0.1:8796' }],
          [path, { 'sec-fetch-site': 'cross-site' }],
          [path, { 'sec-fetch-site': 'same-site' }],
          [path, { 'sec-fetch-site': 'same-origin' }],
        ] as const,
    ),
  )('[B-350] POST %s with %j gets 403 and does nothing', async (path, headers) => {
    const before = dog.status()
    const { status, body } = await send(dog.url + path, headers)
    expect(status).toBe(403)
    expect(JSON.parse(body)).toMatchObject({ code: 'origin_not_allowed' })
    expect(dog.status()).toMatchObject({ gateway: before.gateway, wanted: 'running', autoRestart: true })
  })

  test.each([...COMMANDS, '/status'])('[B-350] %s for a foreign host gets 421', async (path) => {
    const { status } = await send(
      dog.url + path,
      { host: 'rebound.example' },
      path === '/status' ? 'GET' : 'POST',
    )
    expect(status).toBe(421)
    expect(dog.status().state).toBe('healthy')
  })

  test('[B-356] bodies with unknown members or of other types are refused', async () => {
    for (const body of [{ autoRestart: 'yes' }, { autoRestart: true, force: true }, { force: true }, [], 1])
      expect((await dog.post('/watchdog', body)).status).toBe(400)
    expect(dog.status().autoRestart).toBe(true)
    expect((await dog.post('/watchdog', null)).body.autoRestart).toBe(false)
    expect((await dog.post('/watchdog', { autoRestart: true })).body.autoRestart).toBe(true)
  })

  test('[B-356] every route is documented', async () => {
    const document = (await (await dog.ask('/openapi.json')).json()) as { paths: object }
    const ours = [getWatchdogStatus, postStart, postStop, postRestart, postWatchdog]
    const { paths } = openApiDocument(ours, { title: '', version: '', description: '' })
    expect(document.paths).toMatchObject(JSON.parse(JSON.stringify(paths)) as object)
  })

  test('[B-355] metrics show restarts, life, failures and state', async () => {
    const text = await (await dog.ask('/metrics')).text()
    const gateway = `gateway="127.0.0.1:${dog.port}",process="watchdog"`
    expect(text).toContain(`patchbay_watchdog_gateway_up{${gateway}} 1`)
    expect(text).toContain(`patchbay_watchdog_consecutive_failures{${gateway}} 0`)
    expect(text).toMatch(/patchbay_watchdog_restarts_total\{cause="exited",process="watchdog"\} 0/)
    expect(text).toMatch(/patchbay_watchdog_state\{state="healthy",process="watchdog"\} 1/)
    expect(text).toMatch(/patchbay_watchdog_state\{state="crash-loop",process="watchdog"\} 0/)
  })

  test('[B-354] the status on the wire is complete, and not cached', async () => {
    const answer = await dog.ask('/status')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.json()).toEqual(dog.status())
  })
})

deepTest('[B-354] the status is there while the gateway hangs and a command waits for it', async () => {
  await using dog = await startTestWatchdog({ script: 'stubborn-gateway', timings: { drainMs: 600_000 } })
  const { gateway } = await dog.until('healthy')
  process.kill(gateway.pid ?? 0, 'SIGSTOP')
  const stopping = dog.post('/stop')
  await dog.until('stopping')
  // The drain is longer than the test may take: a status that waited for the command would not come.
  expect(await (await dog.ask('/status')).json()).toMatchObject({ state: 'stopping', wanted: 'stopped' })
  process.kill(gateway.pid ?? 0, 'SIGKILL')
  expect((await stopping).body.state).toBe('stopped')
})

test('[B-351] with a token everything but the probes and the pages about problems needs it', async () => {
  await using dog = await startTestWatchdog({ token: 'a-long-secret' })
  await dog.until('healthy')
  for (const path of ['/health', '/ready', '/problems', '/problems/token_required', '/reference.css'])
    expect({ path, status: (await dog.ask(path)).status }).toEqual({ path, status: 200 })
  for (const path of ['/status', '/metrics', '/openapi.json', '/reference', '/nothing'])
    expect({ path, status: (await dog.ask(path)).status }).toEqual({ path, status: 401 })
  for (const authorization of [
    '',
    'Bearer',
    'Bearer a-long-secreT',
    'Bearer a-long-secret2',
    'Basic a-long-secret',
  ]) {
    for (const path of COMMANDS)
      expect((await dog.ask(path, { method: 'POST', headers: { authorization } })).status).toBe(401)
  }
  expect(dog.status()).toMatchObject({ state: 'healthy', autoRestart: true })
  const headers = { authorization: 'Bearer a-long-secret' }
  expect((await dog.ask('/status', { headers })).status).toBe(200)
  expect((await dog.ask('/watchdog', { method: 'POST', headers })).status).toBe(200)
  expect(dog.lines.join('')).not.toContain('a-long-secret')
})

test('[B-353] lines of standard error are for callers on this machine', async () => {
  await using dog = await startTestWatchdog({ script: 'boot-crasher' })
  await dog.until('backing-off')
  const lines = async (headers: Record<string, string>) => {
    const { lastExit } = (await (await dog.ask('/status', { headers })).json()) as ReturnType<
      TestWatchdog['status']
    >
    return lastExit?.lastErrors.length
  }
  expect(await lines({})).toBe(20)
  expect(await lines({ 'x-forwarded-for': '192.0.2.1' })).toBe(0)
})
