import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LIMITS } from '@patchbay/contracts/limits'
import { expect, test } from 'vitest'
import { type ConnectStatus, waitUntilConfigured } from '../../src/browser/index.ts'

test.concurrent('[B-470] every 2 s until it is configured', async () => {
  await using service = await startStatus((poll) => ({ configured: poll === 2, pending: poll < 2 }))
  const seen: boolean[] = []
  await waitUntilConfigured({ url: service.url, onStatus: ({ configured }) => seen.push(configured) })
  expect(seen).toEqual([false, true])
  const [first = 0, second = 0] = service.times
  // A timer may fire a little early by the clock that is read here.
  expect(second - first).toBeGreaterThan(LIMITS.statusPollIntervalMs - 50)
})

test.concurrent('[B-471] failed polls are repeated, and so is an answer that is none', async () => {
  await using service = await startStatus((poll, response) => {
    if (poll === 1) response.destroy()
    if (poll === 2) response.writeHead(502).end('<h1>Bad gateway</h1>')
    if (poll === 3) response.end('{"ready":true}')
    return poll < 4 ? undefined : { configured: true }
  })
  expect(await waitUntilConfigured({ url: service.url, intervalMs: 5 })).toEqual({ configured: true })
})

test.concurrent('[B-471] after 15 failures in a row it gives up; a single answer starts the count again', async () => {
  await using service = await startStatus((poll, response) => {
    if (poll === 14) return { configured: false }
    response.writeHead(500).end()
    return undefined
  })
  const waiting = waitUntilConfigured({ url: service.url, intervalMs: 1 })
  await expect(waiting).rejects.toMatchObject({ name: 'ConnectError', code: 'status_failed' })
  expect(service.times).toHaveLength(14 + 15)
})

test.concurrent('[B-472] a failure that is said twice ends it, with its words', async () => {
  const error = { code: 'access_denied', message: 'You are not on the list.' }
  await using service = await startStatus((poll) => ({
    configured: false,
    pending: poll === 2,
    ...(poll === 2 ? {} : { error }),
  }))
  const waiting = waitUntilConfigured({ url: service.url, intervalMs: 1 })
  await expect(waiting).rejects.toMatchObject({ name: 'ConnectError', ...error })
  // The first is about the attempt before; the second poll finds the new one under way.
  expect(service.times).toHaveLength(4)
})

test.concurrent('[B-473] an abort ends a pause and a poll at once', async () => {
  await using silent = await startStatus(() => undefined)
  await using slow = await startStatus(() => ({ configured: false }))
  for (const service of [silent, slow]) {
    const abort = new AbortController()
    const waiting = waitUntilConfigured({ url: service.url, intervalMs: 60_000, signal: abort.signal })
    setTimeout(() => abort.abort(new Error('the page was left')), 100)
    await expect(waiting).rejects.toThrow('the page was left')
  }
  const aborted = AbortSignal.abort(new Error('left before'))
  await expect(waitUntilConfigured({ url: slow.url, signal: aborted })).rejects.toThrow('left before')
})

/** A status route that says what the test wants to hear, and when it was asked. */
async function startStatus(answer: (poll: number, response: ServerResponse) => ConnectStatus | undefined) {
  const times: number[] = []
  const server = createServer((_request, response) => {
    times.push(performance.now())
    const status = answer(times.length, response)
    if (status !== undefined) response.end(JSON.stringify(status))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/status`,
    times,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}
