import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createBench } from '@patchbay/device-kit/simulation'
import { waitUntil } from '@patchbay/testkit/processes'
import { Aedes } from 'aedes'
import { type SimulationEvent, startSimulation } from '../src/index.ts'

interface Said {
  readonly topic: string
  readonly text: string
  readonly isRetained: boolean
}

export const TOPIC = 'pb/ada/bench/motor'
export const KEY = 'pbd_secret'

/** A broker that knows one device, and a device that connects to it. */
export async function startBench({ key = KEY, offsetMs = 0, name = 'motor' } = {}) {
  await using cleanup = new AsyncDisposableStack()
  const said: Said[] = []
  const sockets = new Set<Socket>()
  let broker = await createBroker(said)
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    broker.handle(socket)
  })
  const port = await listen(server)
  cleanup.defer(() => new Promise((resolve) => broker.close(() => resolve())))
  cleanup.defer(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const device = createBench(1).find((each) => each.name === name)
  if (device === undefined) throw new Error(`no device ${name}`)
  const events: SimulationEvent[] = []
  const run = startSimulation({
    device,
    connection: { host: '127.0.0.1', port, isTls: false, username: 'd1', topic: TOPIC },
    key,
    surroundings: { now: () => Date.now() + offsetMs, random: () => 0.1 },
    onEvent: (event) => void events.push(event),
  })
  cleanup.defer(() => run.close())
  const owned = cleanup.move()
  const bench = {
    run,
    device,
    events,
    said,
    port,
    sockets,
    /** What was said on a topic below the device. */
    on: (suffix: string) =>
      said.filter(({ topic }) => topic === `${TOPIC}/${suffix}`).map(({ text }) => text),
    tell: (suffix: string, payload: string, retain = false) =>
      new Promise<void>((resolve, reject) =>
        broker.publish(
          { cmd: 'publish', topic: `${TOPIC}/${suffix}`, payload, qos: 1, retain, dup: false },
          (error) => (error == null ? resolve() : reject(error)),
        ),
      ),
    command: (channel: string, id: string, value: unknown, deadline = Date.now() + 60_000) =>
      bench.tell(`${channel}/set`, JSON.stringify({ id, value, deadline })),
    online: () =>
      waitUntil('the device is online', () => events.some(({ type }) => type === 'online'), {
        deadlineMs: 60_000,
      }),
    /** As after a restart: it remembers nothing. */
    async restart() {
      const old = broker
      broker = await createBroker(said)
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => old.close(() => resolve()))
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
  return bench
}

async function createBroker(said: Said[]): Promise<Aedes> {
  const broker = await Aedes.createBroker({
    authenticate: (_client, username, password, done) =>
      done(null, username === 'd1' && password?.toString() === KEY),
  })
  broker.on('clientError', () => undefined)
  broker.on('connectionError', () => undefined)
  broker.on('publish', ({ topic, payload, retain }, client) => {
    // A will comes from nobody who is connected.
    if (client !== null || topic.endsWith('/$status'))
      said.push({ topic, text: payload.toString(), isRetained: retain })
  })
  return broker
}

export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
