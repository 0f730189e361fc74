import type { WebSocket } from 'ws'

const LONGEST_WAIT_MS = 10_000

/**
 * Pings through the idle minutes in which the person reads a consent page: proxies cut silent connections after one.
 * A connection that was cut without a word looks open forever; a missing pong is the only sign.
 */
export function watchPulse(socket: WebSocket, intervalMs: number): () => void {
  let deadline: NodeJS.Timeout | undefined
  const calm = () => {
    clearTimeout(deadline)
    deadline = undefined
  }
  const beat = setInterval(() => {
    if (deadline !== undefined) return
    socket.ping()
    deadline = setTimeout(() => socket.terminate(), Math.min(LONGEST_WAIT_MS, intervalMs))
  }, intervalMs)
  socket.on('pong', calm)
  return () => {
    clearInterval(beat)
    calm()
    socket.off('pong', calm)
  }
}
