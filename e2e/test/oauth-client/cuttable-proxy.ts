import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface CuttableProxy extends AsyncDisposable {
  readonly url: string
  /** Pieces that came from clients. */
  received(): number
  /** Connections that were turned away. */
  refused(): number
  /** Ends every connection, as a proxy that restarts does. */
  cut(): void
  /** Lets nothing more through on the connections there are, without ending them. */
  freeze(): void
  /** Where new connections lead from now on. */
  retarget(port: number): void
  /** Whether new connections are turned away. */
  close(isClosed: boolean): void
}

/** A network between client and gateway that a test can break. */
export async function startCuttableProxy(firstPort: number): Promise<CuttableProxy> {
  const sockets = new Set<Socket>()
  let targetPort = firstPort
  let isClosed = false
  let refused = 0
  let received = 0
  const server = createServer((inner) => {
    if (isClosed) {
      refused += 1
      inner.destroy()
      return
    }
    inner.on('data', () => {
      received += 1
    })
    const outer = connect(targetPort, '127.0.0.1')
    for (const [socket, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(socket)
      socket.pipe(other)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => received,
    refused: () => refused,
    cut,
    freeze() {
      for (const socket of sockets) socket.unpipe().pause()
    },
    retarget(port) {
      targetPort = port
    },
    close(value) {
      isClosed = value
    },
    async [Symbol.asyncDispose]() {
      cut()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}
