// The whole short-lived flow, again and again: connect, register, callback, close.
import { type CallbackConnection, openCallbackConnection } from './callback-connection.ts'
import { openSocket } from './client-socket.ts'
import { codeOf, doorOf, homeOf, stateOf } from './state.ts'
import { serveParent } from './worker.ts'

export interface FlowOrder {
  readonly ports: readonly [number, number]
  readonly batch: number
  readonly count: number
}

export type FlowClients = { run(order: FlowOrder): Promise<{ readonly seconds: number }> }

const FLOWS_AT_ONCE = 64

async function flow(port: number, door: CallbackConnection, state: string): Promise<void> {
  const messages: ((message: { type: string; state: string; code?: string }) => void)[] = []
  const next = () => new Promise<{ type: string; state: string; code?: string }>((r) => messages.push(r))
  const socket = await openSocket(
    port,
    (text) => messages.shift()?.(JSON.parse(text)),
    () => {},
  )
  const registered = next()
  socket.send(JSON.stringify({ type: 'register', state, provider: 'example' }))
  const answer = await registered
  if (answer.type !== 'registered') throw new Error(`register was answered ${JSON.stringify(answer)}`)
  const code = next()
  const answered = new Promise<void>((resolve) => door.call(state, resolve))
  const message = await code
  if (message.code !== codeOf(state)) throw new Error(`another code arrived: ${JSON.stringify(message)}`)
  await answered
  await socket.close()
}

const commands: FlowClients = {
  async run({ ports, batch, count }) {
    const failed = Promise.withResolvers<never>()
    const start = performance.now()
    let next = 0
    const lane = async () => {
      const doors = [
        await openCallbackConnection(ports[0], failed.reject),
        await openCallbackConnection(ports[1], failed.reject),
      ] as const
      while (next < count) {
        const index = next
        next += 1
        await flow(ports[homeOf(index)], doors[doorOf(index, 'balanced')], stateOf(batch, index))
      }
      for (const door of doors) door.close()
    }
    await Promise.race([Promise.all(Array.from({ length: FLOWS_AT_ONCE }, lane)), failed.promise])
    return { seconds: (performance.now() - start) / 1000 }
  },
}

serveParent(commands)
