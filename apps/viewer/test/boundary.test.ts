import { request } from 'node:http'
import { VIEWER_SOCKET_PATH } from '@patchbay/contracts/viewer'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startTestViewer, type TestViewer } from './start.ts'

const ID = '00000000-0000-4000-8000-000000000000'
const READING = [
  '/',
  '/screenshot-paste',
  '/api/viewer',
  '/api/pastes',
  '/api/next-paste',
  '/pastes/a.png',
  '/metrics',
]
const CHANGES = [
  ['POST', '/api/upload-grants'],
  ['POST', '/api/pastes'],
  ['POST', '/api/viewer/show'],
  ['PATCH', `/api/pastes/${ID}`],
  ['POST', `/api/pastes/${ID}/undo`],
  ['DELETE', `/api/pastes/${ID}`],
] as const
const FOREIGN = ['https://evil.example', 'http://localhost:8790', 'http://localhost', 'null']

/** As no library lets one ask: with any `Host` and `Origin`. */
async function statusOf(
  { url }: TestViewer,
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<number | undefined> {
  return await new Promise((resolve, reject) => {
    request(url + path, { method, headers, setHost: !('host' in headers) }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .once('error', reject)
      .end()
  })
}

async function handshake({ url }: TestViewer, headers: Record<string, string>): Promise<number | undefined> {
  return await new Promise((resolve) => {
    const socket = new WebSocket(url.replace('http:', 'ws:') + VIEWER_SOCKET_PATH, { headers })
    socket.once('open', () => {
      socket.terminate()
      resolve(101)
    })
    socket.once('unexpected-response', (_, answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    socket.on('error', () => {})
  })
}

test('[VA-7] a forged host is refused on every route and on the socket', async () => {
  await using viewer = await startTestViewer()
  const routes = [...READING.map((path) => ['GET', path] as const), ...CHANGES]
  for (const host of ['evil.example', 'localhost.evil.example', '192.168.0.1']) {
    for (const [method, path] of routes)
      expect([path, await statusOf(viewer, method, path, { host })]).toEqual([path, 421])
    expect(await handshake(viewer, { host })).toBe(421)
  }
  expect(await statusOf(viewer, 'GET', '/api/viewer', { host: 'localhost:1' })).toBe(200)
})

test('[VA-7] a page of another origin changes nothing and opens no socket, nor does one without an origin', async () => {
  await using viewer = await startTestViewer()
  for (const origin of FOREIGN) {
    for (const [method, path] of CHANGES)
      expect([origin, path, await statusOf(viewer, method, path, { origin })]).toEqual([origin, path, 403])
    expect([origin, await handshake(viewer, { origin })]).toEqual([origin, 403])
  }
  expect(await handshake(viewer, { origin: viewer.url })).toBe(101)
})

test('[VA-7] nothing is offered to scripts of other origins, and no answer can be framed or embedded', async () => {
  await using viewer = await startTestViewer()
  for (const path of ['/api/viewer', '/api/pastes']) {
    const { headers } = await viewer.ask(path, { headers: { origin: 'https://evil.example' } })
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
    expect(headers.get('cache-control')).toBe('no-store')
  }
})

test('[VA-7] a host that an operator names is answered', async () => {
  await using viewer = await startTestViewer({
    environment: { PATCHBAY_VIEWER_ALLOWED_HOSTS: 'viewer.test' },
  })
  expect(await statusOf(viewer, 'GET', '/api/viewer', { host: 'viewer.test' })).toBe(200)
})
