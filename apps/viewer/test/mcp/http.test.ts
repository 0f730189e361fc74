import { request } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { textOf } from './agents.ts'
import { createDesk, type Desk } from './rig.ts'

// Each starts a few processes, on a machine that others use.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let desk: Desk
beforeAll(async () => {
  desk = await createDesk()
  await desk.startViewer()
})
afterAll(() => desk[Symbol.asyncDispose]())

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

interface Sent {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

interface Answered {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly text: string
}

/** `fetch` would not send a Host of our choice. */
function send({ method = 'POST', headers = {}, body = LIST }: Sent): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const asked = request(
      new URL('/mcp', desk.url),
      { method, headers: { ...(method === 'POST' ? JSON_HEADERS : {}), ...headers } },
      (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        )
      },
    )
    asked.on('error', reject)
    asked.end(method === 'POST' ? body : undefined)
  })
}

test('[VA-40] a message of a program is answered, and the answer is never stored', async () => {
  const { status, headers, text } = await send({})
  expect(status).toBe(200)
  expect(text).toContain('av_screenshot_paste')
  expect(headers).toMatchObject({
    'cache-control': 'no-store, no-transform',
    'x-content-type-options': 'nosniff',
  })
  expect(headers['x-request-id']).toEqual(expect.any(String))
})

test('[VA-40] a forged Host is refused, whatever the method', async () => {
  for (const method of ['POST', 'GET', 'DELETE']) {
    const { status, text } = await send({ method, headers: { host: 'attacker.example' } })
    expect(status).toBe(421)
    expect(text).not.toContain('av_')
  }
})

test('[VA-40] a page of another origin is refused, whatever the method; one of the viewer is not', async () => {
  for (const origin of ['https://attacker.example', 'null', 'http://localhost.attacker.example'])
    for (const method of ['POST', 'GET', 'DELETE']) {
      const { status, text } = await send({ method, headers: { origin } })
      expect(status).toBe(403)
      expect(text).not.toContain('av_')
    }
  expect((await send({ headers: { origin: desk.url } })).status).toBe(200)
})

test('[VA-40] there are no sessions to read from or to end, and no permission for other origins', async () => {
  for (const method of ['GET', 'DELETE']) expect((await send({ method })).status).toBe(405)
  const asked = await send({ method: 'OPTIONS', headers: { origin: 'https://attacker.example' } })
  expect(asked.headers['access-control-allow-origin']).toBeUndefined()
})

test('[VA-40] what is no JSON, broken, or too long is refused', async () => {
  expect((await send({ headers: { 'content-type': 'text/plain' } })).status).toBe(415)
  expect((await send({ body: '{"jsonrpc":' })).status).toBe(400)
  expect((await send({ body: JSON.stringify({ long: 'x'.repeat(1024 * 1024) }) })).status).toBe(413)
})

test('[VA-56] over HTTP the tools for workspaces ask for a key of the caller', async () => {
  await using agent = await desk.connect('2.x', 'HTTP')
  const answer = await agent.call('av_list_panels')
  expect(answer.isError).toBe(true)
  expect(textOf(answer)).toContain('x-api-key')
})
