import type { CallbackLoad } from './callback-load.ts'
import type { FlowClients } from './flow-clients.ts'
import { type Side, type SideName, SIDES, startSide } from './side.ts'
import type { SocketClients } from './socket-clients.ts'
import { startWorker, type Worker } from './worker.ts'

const SOCKET_CLIENTS = new URL('./socket-clients.ts', import.meta.url)
const CALLBACK_LOAD = new URL('./callback-load.ts', import.meta.url)
const FLOW_CLIENTS = new URL('./flow-clients.ts', import.meta.url)

export interface Loaded extends Side {
  readonly clients: Worker<SocketClients>
}

/** Every side with its sockets, all of them up for the whole run, and who loads them in turns. */
export interface Rig extends AsyncDisposable {
  readonly sides: Readonly<Record<SideName, Loaded>>
  readonly load: Worker<CallbackLoad>
  readonly flows: Worker<FlowClients>
  /** No state is used twice. */
  nextBatch(): number
}

export async function startRig(sockets: number): Promise<Rig> {
  await using starting = new AsyncDisposableStack()
  const loaded = await Promise.all(
    SIDES.map(async (name) => {
      const side = starting.use(await startSide(name))
      return { ...side, clients: starting.use(await openClients(side.ports, sockets)) }
    }),
  )
  const load = starting.use(startWorker<CallbackLoad>(CALLBACK_LOAD))
  const flows = starting.use(startWorker<FlowClients>(FLOW_CLIENTS))
  const running = starting.move()
  let batch = 0
  return {
    sides: Object.fromEntries(loaded.map((side) => [side.name, side])) as Record<SideName, Loaded>,
    load,
    flows,
    nextBatch() {
      batch += 1
      return batch
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export async function openClients(
  ports: readonly [number, number],
  sockets: number,
): Promise<Worker<SocketClients>> {
  const clients = startWorker<SocketClients>(SOCKET_CLIENTS)
  await clients.ask('open', { ports, sockets })
  return clients
}
