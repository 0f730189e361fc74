import { get } from 'node:http'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { startNginx } from '@patchbay/testkit/nginx'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, vi } from 'vitest'
import { sharedClientServer } from '../client/start-server.ts'
import { newHandle } from '../installation/accounts.ts'
import { startFleet } from './servers.ts'
import { type SignedIn, signIn } from './signed-in.ts'

// Real processes on a busy machine take their time; what must be quick is measured.
vi.setConfig({ testTimeout: 120_000 })

async function openIntent(url: string): Promise<string> {
  const answer = await fetch(`${url}/auth/intents`, { method: 'POST' })
  return ((await answer.json()) as { token: string }).token
}

/** Streams its status; answers what came and when the last of it did. */
function watch(url: string, token: string) {
  const state = { text: '', endedAt: 0, isOpen: false }
  const request = get(
    `${url}/auth/intents/${token}/status`,
    { headers: { accept: 'text/event-stream', 'user-agent': 'app/1' } },
    (response) => {
      state.isOpen = response.statusCode === 200
      response.setEncoding('utf8').on('data', (chunk: string) => {
        state.text += chunk
      })
      response.on('close', () => {
        state.isOpen = false
        state.endedAt = performance.now()
      })
      response.on('error', () => {})
    },
  )
  request.on('error', () => {
    state.endedAt = performance.now()
  })
  return Object.assign(state, { leave: () => request.destroy() })
}

/** How long the events of some logins took to arrive through nginx as it is installed. */
async function arrivals(ports: readonly number[], person: SignedIn): Promise<number[]> {
  await using nginx = await startNginx({
    config: ({ port }) => `
      upstream patchbay { ${ports.map((node) => `server 127.0.0.1:${node};`).join(' ')} }
      server { listen 127.0.0.1:${port}; location / { proxy_pass http://patchbay; proxy_set_header Host localhost; } }`,
  })
  const times: number[] = []
  for (let round = 0; round < 6; round += 1) {
    const token = await openIntent(nginx.url)
    const stream = watch(nginx.url, token)
    await waitUntil('the first comment came through', () => stream.text.includes(': ping'), {
      deadlineMs: 10_000,
    })
    const began = performance.now()
    expect((await person.decide(nginx.url, token)).status).toBe(200)
    await waitUntil('the stream ended', () => stream.endedAt > 0, { deadlineMs: 10_000 })
    expect(stream.text).toContain('event: authenticated')
    times.push(stream.endedAt - began)
  }
  return times
}

// The best of several: another program may hold up any single one.
test('[C-47] through nginx as it is installed, an event arrives within a second', async () => {
  const { port, url, databaseUrl } = await sharedClientServer()
  const person = await signIn(databaseUrl, newHandle(), url)
  expect(Math.min(...(await arrivals([port], person)))).toBeLessThan(1_000)
})

deepTest('[C-47] also when each request goes to another node', async () => {
  await using fleet = await startFleet(2)
  const person = await signIn(fleet.databaseUrl, 'ada', fleet.publicUrl)
  const ports = fleet.nodes.map(({ port }) => port)
  expect(Math.min(...(await arrivals(ports, person)))).toBeLessThan(1_000)
})

deepTest(
  '[C-45] a node that is told to stop ends its streams and exits; their clients finish elsewhere',
  async () => {
    await using fleet = await startFleet(2)
    const [first, second] = fleet.nodes
    if (first === undefined || second === undefined) throw new Error('two nodes')
    const person = await signIn(fleet.databaseUrl, 'ada', fleet.publicUrl)
    const token = await openIntent(first.url)
    const stream = watch(first.url, token)
    await waitUntil('the stream is open', () => stream.isOpen, { deadlineMs: 10_000 })
    first.child.kill('SIGTERM')
    await waitUntil('the stream ended', () => stream.endedAt > 0, { deadlineMs: 10_000 })
    expect(stream.text).not.toContain('event:')
    const again = watch(second.url, token)
    await waitUntil('the stream is open again', () => again.isOpen, { deadlineMs: 10_000 })
    await person.decide(second.url, token)
    await waitUntil('it ended', () => again.endedAt > 0, { deadlineMs: 10_000 })
    expect(again.text).toContain('event: authenticated')
  },
)
