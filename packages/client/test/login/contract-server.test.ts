import { createServer, type ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { login } from '../../src/index.ts'

interface Turn {
  readonly status: number
  readonly body?: unknown
}

/** A server that knows the contract and nothing of ours: no problems, no words, no streams. */
async function startContractServer(statuses: Turn[]) {
  const send = (response: ServerResponse, { status, body }: Turn) =>
    response
      .writeHead(status, body === undefined ? {} : { 'content-type': 'application/json' })
      .end(body === undefined ? undefined : JSON.stringify(body))
  const server = createServer((request, response) => {
    const { port } = server.address() as { port: number }
    const url = `http://127.0.0.1:${port}/auth/intents/one`
    if (request.method === 'POST')
      return void send(response, {
        status: 201,
        body: {
          token: 'one',
          created_at: '2026-01-01T00:00:00Z',
          expires_at: '2026-01-01T00:15:00Z',
          requested_max_age: 7_776_000,
          auth_url: `${url}?token=one`,
          updates_url: `${url}/status`,
          completed: false,
        },
      })
    return void send(response, statuses.shift() ?? { status: 404 })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as { port: number }
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('[CL-33] C12: a server that speaks the contract and no more signs in', async () => {
  await using server = await startContractServer([
    { status: 200, body: { state: 'pending' } },
    { status: 200, body: { state: 'authenticated', session_token: 'tok_1' } },
  ])
  const prompts: object[] = []
  const { baseUrl } = server
  const { sessionToken } = await login({
    baseUrl,
    onPrompt: (prompt) => void prompts.push(prompt),
    transport: 'poll',
    pollIntervalMs: 100,
  })
  expect(sessionToken).toBe('tok_1')
  expect(prompts).toEqual([
    { authUrl: `${baseUrl}/auth/intents/one?token=one`, expiresAt: '2026-01-01T00:15:00Z' },
  ])
})

test('[CL-33] C12: its plain 410 is an end that has a name', async () => {
  await using server = await startContractServer([{ status: 410 }])
  await expect(
    login({ baseUrl: server.baseUrl, onPrompt: () => undefined, transport: 'poll', pollIntervalMs: 100 }),
  ).rejects.toMatchObject({ name: 'LoginError', code: 'expired' })
})
