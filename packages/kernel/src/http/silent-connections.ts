import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** In which a connection that was just accepted may send its first request. */
const GRACE_MS = 250
const SWEEP_INTERVAL_MS = 50

/**
 * Browsers open connections before they need them. Node counts those as busy until their first request has ended: a single
 * one would hold a closing server up to its deadline. Answers `close`, which ends them from then on and answers `stop`.
 */
export function watchSilentConnections(server: Server): () => () => void {
  const acceptedAt = new Map<Socket, number>()
  server.on('connection', (socket) => {
    acceptedAt.set(socket, performance.now())
    socket.once('close', () => acceptedAt.delete(socket))
  })
  const sweep = (now: number) => {
    for (const [socket, since] of acceptedAt) {
      if (socket.bytesRead === 0 && now - since > GRACE_MS) socket.destroy()
    }
  }
  return () => {
    sweep(performance.now())
    const timer = setInterval(() => sweep(performance.now()), SWEEP_INTERVAL_MS)
    return () => clearInterval(timer)
  }
}
