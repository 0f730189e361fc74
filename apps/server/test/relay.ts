import { connect, createServer, type Socket } from 'node:net'
import { freePort } from '@patchbay/testkit/ports'

/** A way to an engine that others use as well, which only this one loses. */
interface Relay extends AsyncDisposable {
  /** The engine's address with the port of the relay. */
  readonly url: string
  open(): Promise<void>
  /** Connections break, and new ones are refused. */
  cut(): Promise<void>
  /** Connections stay, new ones are taken, and nothing passes. */
  block(): void
  unblock(): void
}

/** Closed until it is opened. */
export async function createRelay(engineUrl: string): Promise<Relay> {
  const { hostname, port: enginePort } = new URL(engineUrl)
  const port = await freePort()
  const sockets = new Set<Socket>()
  let isBlocked = false
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.on('data', (chunk) => void to.write(chunk))
    from.on('error', () => {})
    from.once('close', () => {
      sockets.delete(from)
      to.destroy()
    })
    if (isBlocked) from.pause()
  }
  const server = createServer((near) => {
    const far = connect(Number(enginePort), hostname)
    pass(near, far)
    pass(far, near)
  })
  const cut = async () => {
    if (!server.listening) return
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  const url = new URL(engineUrl)
  url.port = String(port)
  return {
    url: url.href,
    open: () => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve)),
    cut,
    block() {
      isBlocked = true
      for (const socket of sockets) socket.pause()
    },
    unblock() {
      isBlocked = false
      for (const socket of sockets) socket.resume()
    },
    [Symbol.asyncDispose]: cut,
  }
}
