import { deepTest, depth } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { startGatewayCaddy } from './caddy-example.ts'
import { noCaddy } from './examples.ts'
import { type GatewayNode, startGatewayNodes } from './gateway-nodes.ts'
import { startGatewayNginx } from './nginx-example.ts'
import type { Proxy, StartProxy } from './proxy.ts'
import { ask, openSocket } from './proxy-client.ts'

/** Longer than the whole short form: none ends by itself. */
const SOCKETS_LIVE_MS = 60_000
const ROUNDS = depth({ common: 1, deep: 5 })
/** As the file for Caddy asks for it. */
const ANNOUNCED = { PATCHBAY_DRAIN_ANNOUNCE_SECONDS: '3' }
const PATIENCE = { deadlineMs: 60_000 }
/** All of them come from one address, 50 a second and for a minute each. */
const ROOM = { PATCHBAY_GATEWAY_CONNECTIONS_PER_ADDRESS: '100000' }

const LONG = { timeout: depth({ common: 120_000, deep: 600_000 }) }

test(
  '[DP-213] O1: every gateway is restarted under load behind nginx, and nothing is refused',
  LONG,
  async () => {
    const { sockets, gets, refused, failed } = await restartAll(startGatewayNginx)
    expect({ refused, failed }).toEqual({ refused: [], failed: [] })
    expect(Math.min(sockets, gets)).toBeGreaterThan(10)
  },
)

deepTest.skipIf(noCaddy)('[DP-213] O1: and behind Caddy, where nodes announce their end', LONG, async () => {
  const { sockets, gets, refused, failed } = await restartAll(startGatewayCaddy, ANNOUNCED)
  expect({ refused, failed }).toEqual({ refused: [], failed: [] })
  expect(Math.min(sockets, gets)).toBeGreaterThan(10)
})

async function restartAll(start: StartProxy, says: Record<string, string> = {}) {
  await using stack = new AsyncDisposableStack()
  const rig = await startGatewayNodes(2, { ...ROOM, ...says })
  stack.use(rig)
  const proxy = stack.use(await start(rig.ports))
  const load = stack.use(startLoad(proxy))
  let nodes: readonly GatewayNode[] = rig.nodes
  for (let round = 0; round < ROUNDS; round += 1) {
    const started: GatewayNode[] = []
    for (const node of nodes) {
      await load.goesOn()
      started.push(stack.use(await node.restart()))
    }
    nodes = started
  }
  await load.goesOn()
  return await load.stop()
}

/** New sockets that stay, and plain requests beside them, one after the other. */
function startLoad(proxy: Proxy) {
  const counts = { sockets: 0, gets: 0, refused: [] as string[], failed: [] as string[] }
  const open = new Set<WebSocket>()
  const over = new AbortController()
  const connectOn = async () => {
    while (!over.signal.aborted) {
      counts.sockets += 1
      try {
        const socket = await openSocket(proxy, '/ws')
        open.add(socket)
        socket.once('close', () => open.delete(socket))
        setTimeout(() => socket.close(), SOCKETS_LIVE_MS).unref()
      } catch (error) {
        counts.refused.push(String(error))
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const askOn = async () => {
    while (!over.signal.aborted) {
      counts.gets += 1
      const outcome = await ask(proxy, '/status').then(({ status }) => String(status), String)
      if (outcome !== '200') counts.failed.push(outcome)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  const running = Promise.all([connectOn(), askOn()])
  return {
    async goesOn() {
      const before = { ...counts }
      const isMore = () => counts.sockets > before.sockets + 5 && counts.gets > before.gets + 5
      await waitUntil('the load goes on', isMore, PATIENCE)
    },
    async stop() {
      over.abort()
      await running
      return counts
    },
    async [Symbol.asyncDispose]() {
      over.abort()
      await running
      for (const socket of open) socket.terminate()
    },
  }
}
