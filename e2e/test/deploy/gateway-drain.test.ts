import { once } from 'node:events'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import { startGatewayCaddy } from './caddy-example.ts'
import { noCaddy } from './examples.ts'
import { connect, delivered, runFlow } from './gateway-flow.ts'
import { type GatewayNode, startGatewayNodes } from './gateway-nodes.ts'
import { startGatewayNginx } from './nginx-example.ts'
import type { StartProxy } from './proxy.ts'

const PATIENCE = { deadlineMs: 20_000 }
/** Far more than fit into the time that a node has to drain. */
const MOST_FLOWS = 2_000
const SLOW = { timeout: 60_000 }

test('[DP-326] a node drains behind nginx: sockets and callbacks go on without a failure', SLOW, async () => {
  await using scene = await startDraining(startGatewayNginx)
  expect(await scene.flowsUntilItEnds()).toBeGreaterThan(0)
  expect(await scene.closeCode).toBe(1001)
})

deepTest.skipIf(noCaddy)('[DP-326] and behind Caddy from its next health check on', SLOW, async () => {
  await using scene = await startDraining(startGatewayCaddy)
  const noticed = async () => (await scene.proxy.logs()).includes('health_checker')
  await waitUntil('the health check to notice', noticed, PATIENCE)
  await scene.flowsUntilItEnds()
  expect(await scene.closeCode).toBe(1001)
})

/** Two nodes behind a proxy, a client on each, and one node told to stop. */
async function startDraining(start: StartProxy) {
  await using stack = new AsyncDisposableStack()
  const { nodes, ports } = stack.use(await startGatewayNodes(2))
  const [leaving] = nodes
  if (leaving === undefined) throw new Error('no node')
  const proxy = stack.use(await start(ports))
  const first = stack.use(await connect(proxy))
  const onLeaving = (await leaving.sockets()) === 1 ? first : stack.use(await connect(proxy))
  await waitUntil(
    'a client is on the node that leaves',
    async () => (await leaving.sockets()) === 1,
    PATIENCE,
  )
  await onLeaving.register()
  const held = stack.use(await holdOpen(leaving))

  leaving.process.child.kill('SIGTERM')
  await waitUntil('the node drains', async () => !(await leaving.isReady()), PATIENCE)
  const owned = stack.move()
  return {
    proxy,
    closeCode: onLeaving.closeCode,
    /** One client after the other, each with its flow; how many until the node was gone, after which three follow. */
    async flowsUntilItEnds(): Promise<number> {
      let meanwhile = 0
      for (let after = 0; after < 3 && meanwhile < MOST_FLOWS; ) {
        if (leaving.process.child.exitCode === null) meanwhile += 1
        else after += 1
        using client = await connect(proxy)
        expect(await runFlow(proxy, client, 'a-code')).toEqual(delivered('a-code'))
        // Enough was seen of the node that drains: nothing holds it up any longer.
        if (meanwhile === 5) held[Symbol.dispose]()
      }
      expect(leaving.process.child.exitCode).toBe(0)
      return meanwhile
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** A client that does not answer when it is told to go, so that draining takes its time. */
async function holdOpen({ port }: GatewayNode): Promise<Disposable> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`)
  socket.on('error', () => {})
  await once(socket, 'open')
  socket.pause()
  return { [Symbol.dispose]: () => socket.terminate() }
}
