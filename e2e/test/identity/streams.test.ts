import { get } from 'node:http'
import { startNginx } from '@patchbay/testkit/nginx'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { startFleet } from './servers.ts'
import { signIn } from './signed-in.ts'

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

test('[C-47] through nginx as it is installed, an event arrives within a second', async () => {
  await using fleet = await startFleet(2)
  const person = await signIn(fleet.databaseUrl, 'ada', fleet.publicUrl)
  await using nginx = await startNginx({
    config: ({ port }) => `
      upstream patchbay { ${fleet.nodes.map((node) => `server 127.0.0.1:${node.port};`).join(' ')} }
      server { listen 127.0.0.1:${port}; location / { proxy_pass http://patchbay; proxy_set_header Host localhost; } }`,
  })
  for (let round = 0; round < 6; round += 1) {
    const token = await openIntent(nginx.url)
    const stream = watch(nginx.url, token)
    await waitUntil('the first comment came through', () => stream.text.includes(': ping'), {
      deadlineMs: 3_000,
    })
    const began = performance.now()
    expect((await person.decide(nginx.url, token)).status).toBe(200)
    await waitUntil('the stream ended', () => stream.endedAt > 0, { deadlineMs: 5_000 })
    expect(stream.text).toContain('event: authenticated')
    expect(stream.endedAt - began).toBeLessThan(1_000)
  }
})

test('[C-45] a node that is told to stop ends its streams and exits; their clients finish elsewhere', async () => {
  await using fleet = await startFleet(2)
  const [first, second] = fleet.nodes
  if (first === undefined || second === undefined) throw new Error('two nodes')
  const person = await signIn(fleet.databaseUrl, 'ada', fleet.publicUrl)
  const token = await openIntent(first.url)
  const stream = watch(first.url, token)
  await waitUntil('the stream is open', () => stream.isOpen, { deadlineMs: 3_000 })
  first.child.kill('SIGTERM')
  await waitUntil('the stream ended', () => stream.endedAt > 0, { deadlineMs: 3_000 })
  expect(stream.text).not.toContain('event:')
  const again = watch(second.url, token)
  await waitUntil('the stream is open again', () => again.isOpen, { deadlineMs: 3_000 })
  await person.decide(second.url, token)
  await waitUntil('it ended', () => again.endedAt > 0, { deadlineMs: 3_000 })
  expect(again.text).toContain('event: authenticated')
})
