import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { startClients } from '../src/gateway/sides.ts'
import { codeOf, stateOf } from '../src/gateway/state.ts'

/** A node that answers every register and delivers whatever the test hands it. */
async function startPuppet() {
  const server = createServer()
  const sockets = new WebSocketServer({ server })
  const open: WebSocket[] = []
  sockets.on('connection', (socket) => {
    open.push(socket)
    socket.on('message', (data: Buffer) => {
      const { state } = JSON.parse(data.toString()) as { state: string }
      socket.send(JSON.stringify({ type: 'registered', state }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no TCP address')
  const { port } = address
  return {
    ports: [port, port] as const,
    deliver(state: string, code: string) {
      open[0]?.send(JSON.stringify({ type: 'callback', state, code, query: {} }))
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.terminate()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const first = stateOf(1, 0)
const second = stateOf(1, 1)

async function collect(
  codes: readonly (readonly [state: string, code: string])[],
  patienceMs = 10_000,
): Promise<unknown> {
  await using puppet = await startPuppet()
  using clients = startClients()
  await clients.ask('open', { ports: puppet.ports, sockets: 2 })
  await clients.ask('register', { batch: 1, from: 0, count: 2 })
  for (const [state, code] of codes) puppet.deliver(state, code)
  return await clients.ask('collect', { count: 2, patienceMs })
}

test('[BN-4] every code once is what a measurement counts', async () => {
  const codes = [first, second].map((state) => [state, codeOf(state)] as const)
  await expect(collect(codes)).resolves.toMatchObject({ lastAt: expect.any(Number) })
})

test('[BN-4] a code that does not arrive fails the measurement', async () => {
  await expect(collect([[first, codeOf(first)]], 200)).rejects.toThrow(/of 2 arrived/)
})

test('[BN-4] a code that arrives twice fails the measurement', async () => {
  const code = [first, codeOf(first)] as const
  await expect(collect([code, code, [second, codeOf(second)]])).rejects.toThrow('arrived twice')
})

test('[BN-4] another code than the one that was sent fails the measurement', async () => {
  const codes = [
    [first, codeOf(second)],
    [second, codeOf(second)],
  ] as const
  await expect(collect(codes)).rejects.toThrow('another code')
})
