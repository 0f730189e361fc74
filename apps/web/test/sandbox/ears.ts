import { createSocket } from 'node:dgram'
import { createServer, type Socket } from 'node:net'

export interface Ears extends AsyncDisposable {
  readonly http: string
  readonly stun: string
  heard(): number
}

/** Listens on loopback, and counts whoever comes. */
export async function listen(): Promise<Ears> {
  let count = 0
  const sockets = new Set<Socket>()
  const tcp = createServer((socket) => {
    count += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n')
  })
  await new Promise<void>((resolve) => {
    tcp.listen(0, '127.0.0.1', resolve)
  })
  const udp = createSocket('udp4')
  udp.on('message', () => {
    count += 1
  })
  await new Promise<void>((resolve) => {
    udp.bind(0, '127.0.0.1', resolve)
  })
  const address = tcp.address()
  if (address === null || typeof address === 'string') throw new Error('no TCP address')
  return {
    http: `http://127.0.0.1:${address.port}`,
    stun: `127.0.0.1:${udp.address().port}`,
    heard: () => count,
    async [Symbol.asyncDispose]() {
      udp.close()
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => {
        tcp.close(() => resolve())
      })
    },
  }
}
