import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { echo } from './echo-endpoint.ts'
import { ask } from './raw-upgrade.ts'
import { nextText, startServer } from './start-server.ts'

test('[K-362] the hook sees opening, messages, closing and refusals, by declared path and code', async () => {
  const seen: unknown[] = []
  await using server = await startServer({
    metrics: {
      opened: (path) => void seen.push(['opened', path]),
      closed: (path, code) => void seen.push(['closed', path, code]),
      received: (path) => void seen.push(['received', path]),
      refused: (code) => void seen.push(['refused', code]),
    },
  })
  server.sockets.add(echo)
  const client = await server.open('/echo?secret=1')
  const reply = nextText(client)
  client.send('hi')
  await reply
  client.close(1000)
  await waitUntil('it closed', () => server.sockets.size === 0)
  await ask(server, { path: '/secret' })
  await ask(server, { headers: { host: 'evil.example' } })
  await ask(server, { headers: { 'sec-websocket-protocol': 'a,,b' } })
  expect(seen).toEqual([
    ['opened', '/echo'],
    ['received', '/echo'],
    ['closed', '/echo', 1000],
    ['refused', 'not_found'],
    ['refused', 'host_not_allowed'],
    ['refused', 'malformed_request'],
  ])
  expect(JSON.stringify(server.lines)).not.toContain('secret')
})
