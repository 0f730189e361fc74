import { connect, createServer, type Socket } from 'node:net'

/** What happens to bytes on their way; `cut` ends the connection, `hold` swallows all that follows. */
type Fate = Buffer | 'cut' | 'hold'

export interface Relay extends AsyncDisposable {
  readonly endpoint: string
}

export interface RelayFaults {
  readonly request?: (chunk: Buffer) => Fate
  readonly answer?: (chunk: Buffer) => Fate
}

/** A bad network on loopback, in front of a real store. */
export async function startRelay(target: string, { request, answer }: RelayFaults): Promise<Relay> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const store = connect(Number(port), hostname)
    forward(client, store, request)
    forward(store, client, answer)
    for (const socket of [client, store]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no TCP address')
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function forward(from: Socket, to: Socket, fault: ((chunk: Buffer) => Fate) | undefined): void {
  let held = false
  from.on('data', (chunk) => {
    const fate = held ? 'hold' : (fault?.(chunk) ?? chunk)
    if (fate === 'hold') held = true
    else if (fate === 'cut') to.destroy()
    else if (!to.write(fate)) from.pause()
  })
  to.on('drain', () => from.resume())
  from.on('close', () => to.destroy())
  from.on('error', () => to.destroy())
}
