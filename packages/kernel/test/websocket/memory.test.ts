import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { portOf, startServer } from './start-server.ts'

const SOCKETS = 800
const WARM_UP = 100

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

async function heapUsed(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    collect()
    await sleep(20)
  }
  return getHeapStatistics().used_heap_size
}

async function open(clients: ChildProcess, port: number, count: number): Promise<void> {
  const opened = new Promise((resolve) => clients.once('message', resolve))
  clients.send({ port, count })
  await opened
}

async function heapPerConnection(clients: ChildProcess, port: number): Promise<number> {
  await open(clients, port, WARM_UP)
  const before = await heapUsed()
  await open(clients, port, SOCKETS)
  return ((await heapUsed()) - before) / SOCKETS
}

function onMessage(): void {}

async function startBare() {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  sockets.on('connection', (client) => client.on('message', onMessage))
  await new Promise((resolve) => sockets.once('listening', resolve))
  return {
    port: portOf(sockets),
    async [Symbol.asyncDispose]() {
      for (const client of sockets.clients) client.terminate()
      await new Promise((resolve) => sockets.close(resolve))
    },
  }
}

test('[K-361] an idle connection takes at most 1.25 times the heap that bare ws takes', async () => {
  await using bare = await startBare()
  await using server = await startServer({ limits: { maxConnectionsPerAddress: 2 * SOCKETS } })
  server.sockets.add<{ user: string }>({
    path: '/echo',
    maxMessageBytes: 1024,
    rate: { perSecond: 10 },
    authenticate: async () => ({ user: 'somebody' }),
    onMessage,
  })
  const clients = fork(fileURLToPath(new URL('./idle-clients.process.ts', import.meta.url)), { execArgv: [] })
  try {
    const [bareBytes, kernelBytes] = [
      await heapPerConnection(clients, bare.port),
      await heapPerConnection(clients, server.port),
    ]
    expect(server.sockets.size).toBe(SOCKETS + WARM_UP)
    expect(bareBytes).toBeGreaterThan(1_000)
    expect(kernelBytes / bareBytes, `${kernelBytes} bytes against ${bareBytes}`).toBeLessThan(1.25)
  } finally {
    clients.kill('SIGKILL')
  }
})
