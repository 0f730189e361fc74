import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { startTestServer } from './start.ts'

test('[S-24] F3: what answers at its address runs, what refuses or keeps silent does not, and nobody is asked twice', async () => {
  let asked = 0
  await using healthy = createServer((request, response) => {
    asked += 1
    response.writeHead(request.url === '/health' ? 200 : 404).end('{}')
  }).listen(0, '127.0.0.1')
  await using silent = createServer(() => {}).listen(0, '127.0.0.1')
  for (const one of [healthy, silent]) if (!one.listening) await once(one, 'listening')
  const at = (server: typeof healthy) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await using server = await startTestServer({
    PATCHBAY_GATEWAY_URL: at(healthy),
    PATCHBAY_WATCHDOG_URL: at(silent),
    PATCHBAY_VIEWER_URL: `${at(healthy)}/elsewhere`,
  })
  const answers = await Promise.all(Array.from({ length: 5 }, () => server.ask('/api/services')))
  for (const answer of answers)
    expect(await answer.json()).toEqual({
      companions: [
        { id: 'gateway', isRunning: true, command: 'patchbay gateway' },
        { id: 'watchdog', isRunning: false, command: 'patchbay watchdog run' },
        { id: 'viewer', isRunning: false, command: 'patchbay viewer' },
      ],
    })
  expect(asked).toBe(2)
  silent.closeAllConnections()
})
