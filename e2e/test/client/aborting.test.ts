import { fileURLToPath } from 'node:url'
import { beginLogin, checkLogin, login, waitForLogin, whoami } from '@patchbay/client'
import { atLatest, deepTest } from '@patchbay/testkit/depth'
import { type RunningProcess, startProcess, waitUntil } from '@patchbay/testkit/processes'
import { beforeAll, expect, test, vi } from 'vitest'
import { startFaultProxy } from './fault-proxy.ts'
import { recordingFetch } from './recording-fetch.ts'
import { type ClientServer, sharedClientServer } from './start-server.ts'

// Real processes on a busy machine take their time; what must be quick is measured.
vi.setConfig({ testTimeout: 90_000 })

const SCRIPT = fileURLToPath(new URL('./abort-process.ts', import.meta.url))

/** A request is given 10 s, and the pauses between polls are 20 s here: what is left behind would take longer than this. */
const LINGERING_MS = 9_000

let server: ClientServer
beforeAll(async () => {
  server = await sharedClientServer()
})

/** How long a process lives on after its login has ended. */
async function lingeringMs(running: RunningProcess): Promise<number> {
  await waitUntil('its login has ended', () => running.output().includes('ended '), { intervalMs: 5 })
  const ended = performance.now()
  await waitUntil('the process has ended by itself', () => running.child.exitCode !== null, { intervalMs: 5 })
  return performance.now() - ended
}

deepTest.each(['auto', 'poll'])(
  '[CL-20] an aborted login leaves nothing that keeps a process alive (%s)',
  async (transport) => {
    await using running = startProcess(process.execPath, [SCRIPT, server.url, transport, '500', '20000'])
    expect(await lingeringMs(running)).toBeLessThan(LINGERING_MS)
    expect(running.output()).toMatch(/ended aborted/)
  },
)

/** How long a process whose login succeeded lives on. */
async function lingeringAfterSuccess(transport: string): Promise<number> {
  await using running = startProcess(process.execPath, [SCRIPT, server.url, transport])
  const link = () => /^open (\S+)$/m.exec(running.output())?.[1]
  await waitUntil('it shows its link', () => link() !== undefined)
  await server.ada.approve(link() ?? '')
  const lingered = await lingeringMs(running)
  if (!running.output().includes('ended tok_')) throw new Error(`no success: ${running.output()}`)
  return lingered
}

deepTest('[CL-20] nor does one that succeeded', async () => {
  expect(await lingeringAfterSuccess('auto')).toBeLessThan(LINGERING_MS)
})

// The pause that may be left behind is the one of 2 s.
deepTest('[CL-20] nor does one that succeeded by polling', async () => {
  expect(await lingeringAfterSuccess('poll')).toBeLessThan(atLatest(1_800))
})

test.each(['auto', 'poll'] as const)(
  '[CL-20] an abort ends the wait at once and closes its connection (%s)',
  async (transport) => {
    await using proxy = await startFaultProxy(server.port)
    const pending = await beginLogin({ baseUrl: proxy.url })
    const recording = recordingFetch()
    const controller = new AbortController()
    const waiting = waitForLogin(pending, { transport, signal: controller.signal, fetch: recording.fetch })
    waiting.catch(() => undefined)
    await waitUntil('it has asked', () => recording.sent.length > 0)
    const before = performance.now()
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toMatchObject({ code: 'aborted', cause: new Error('enough') })
    expect(performance.now() - before).toBeLessThan(atLatest(300))
    for (const { signal } of transport === 'auto' ? recording.sent : []) expect(signal?.aborted).toBe(true)
  },
)

test('[CL-20] an answer that does not come is not waited for after an abort', async () => {
  await using proxy = await startFaultProxy(server.port)
  const pending = await beginLogin({ baseUrl: proxy.url })
  proxy.set('hold')
  for (const call of [
    (signal: AbortSignal) => login({ baseUrl: proxy.url, signal, onPrompt: () => undefined }),
    (signal: AbortSignal) => checkLogin(pending, { signal }),
    (signal: AbortSignal) => waitForLogin(pending, { signal }),
    (signal: AbortSignal) => whoami({ baseUrl: proxy.url, sessionToken: 'tok_x', signal }),
  ]) {
    const controller = new AbortController()
    const calling = call(controller.signal)
    calling.catch(() => undefined)
    await waitUntil('it is connected', () => proxy.open() > 0)
    controller.abort()
    await expect(calling).rejects.toMatchObject({ name: 'LoginError', code: 'aborted' })
    await waitUntil('its connection is closed', () => proxy.open() === 0)
  }
})

test('[CL-20] a signal that was aborted before asks for nothing', async () => {
  const recording = recordingFetch()
  const begun = login({
    baseUrl: server.url,
    signal: AbortSignal.abort(),
    fetch: recording.fetch,
    onPrompt: () => undefined,
  })
  await expect(begun).rejects.toMatchObject({ code: 'aborted' })
  expect(recording.sent).toEqual([])
})
