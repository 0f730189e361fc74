import { connect, createServer, type Socket } from 'node:net'

export interface SilentProxy extends AsyncDisposable {
  readonly port: number
  /** From now on the connections that exist carry nothing and stay open, as behind a firewall that forgot them. */
  cut(): void
  /** What the server says to connections that run scripts is kept back, and nothing else. */
  holdAnswers(): void
  passAnswers(): void
}

export async function startSilentProxy(targetPort: number): Promise<SilentProxy> {
  const sockets = new Set<Socket>()
  /** The server's side of connections that run scripts, with the client's side. */
  const commanding = new Map<Socket, Socket>()
  const server = createServer((inner) => {
    const outer = connect({ host: '127.0.0.1', port: targetPort })
    inner.on('data', (chunk) => {
      if (chunk.includes('eval')) commanding.set(outer, inner)
    })
    for (const [socket, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => sockets.delete(socket))
      socket.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    cut() {
      for (const socket of sockets) {
        socket.unpipe()
        socket.resume()
      }
    },
    holdAnswers() {
      for (const [outer, inner] of commanding) {
        outer.unpipe(inner)
        outer.pause()
      }
    },
    passAnswers() {
      for (const [outer, inner] of commanding) outer.pipe(inner)
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
