import { connect, type Socket } from 'node:net'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, vi } from 'vitest'
import { png } from '../pictures.ts'
import { startTestViewer, type TestViewer } from '../start.ts'

vi.setConfig({ testTimeout: 60_000 })

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const AT_ONCE = 32

function waitFor(id: number, seconds = 60) {
  const params = { name: 'av_wait_for_paste', arguments: { timeout_seconds: seconds } }
  return { jsonrpc: '2.0', id, method: 'tools/call', params }
}

function post(viewer: TestViewer, message: unknown, signal?: AbortSignal): Promise<Response> {
  return viewer.ask('/mcp', {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify(message),
    ...(signal === undefined ? {} : { signal }),
  })
}

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

test('[E-161] as many calls as are served at once can wait; one more is told so, and a caller that goes makes room', async () => {
  await using viewer = await startTestViewer()
  const gone = new AbortController()
  const waiting = Array.from({ length: AT_ONCE }, (_, id) => post(viewer, waitFor(id), gone.signal))
  for (const each of waiting) each.catch(() => undefined)
  await waitUntil('no place is left', async () => (await post(viewer, LIST)).status === 429, {
    deadlineMs: 20_000,
  })
  const refused = await post(viewer, LIST)
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(await refused.json()).toMatchObject({ code: 'too_many_waiting' })
  gone.abort()
  await waitUntil('there is room', async () => (await post(viewer, LIST)).status === 200, {
    deadlineMs: 20_000,
  })
})

deepTest('[E-161] every call of a batch counts', async () => {
  await using viewer = await startTestViewer()
  await viewer.paste(png(4, 4))
  const batch = (count: number) => Array.from({ length: count }, (_, id) => waitFor(id, 1))
  expect((await post(viewer, batch(AT_ONCE + 1))).status).toBe(429)
  expect((await post(viewer, batch(2))).status).toBe(200)
})

/** Asks, and never reads what comes. */
function askWithoutReading({ url }: TestViewer, message: unknown): Socket {
  const { hostname, port } = new URL(url)
  const body = JSON.stringify(message)
  const head = Object.entries({ ...HEADERS, host: 'localhost', 'content-length': body.length })
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(
    `POST /mcp HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${body}`,
  )
  return socket.pause()
}

deepTest('[E-161] whoever does not read is cut, and their place goes to others', async () => {
  await using viewer = await startTestViewer({ silentMs: 1_000 })
  const sockets = Array.from({ length: AT_ONCE }, (_, id) => askWithoutReading(viewer, waitFor(id)))
  await waitUntil('no place is left', async () => (await post(viewer, LIST)).status === 429, {
    deadlineMs: 20_000,
  })
  await waitUntil('there is room', async () => (await post(viewer, LIST)).status === 200, {
    deadlineMs: 20_000,
  })
  expect((await post(viewer, LIST)).status).toBe(200)
  for (const socket of sockets) socket.destroy()
})
