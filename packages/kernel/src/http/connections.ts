import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** In which a connection that was just accepted may send its first request. */
const GRACE_MS = 250
const SWEEP_INTERVAL_MS = 50
/** How long connections that a proxy keeps may take to be used once more. */
const KEPT_MS = 1_000
/** A turn of the event loop in which next to nothing happened. */
const QUIET_MS = 0.1
const TURNS = 500

export interface Connections {
  /** Takes no new ones from now on. Those that are open stay. */
  refuseNew(): Promise<void>
  /** Lets each be used once more, where a proxy keeps them; then idle ones are closed. Answers what ends that. */
  closeIdle(deadlineMs: number): Promise<() => void>
}

/** `isBehindProxy`: whoever connects keeps connections, and sends the next request into one of them. */
export function watchConnections(server: Server, isBehindProxy: boolean): Connections {
  const acceptedAt = new Map<Socket, number>()
  let accepted = 0
  server.on('connection', (socket) => {
    accepted += 1
    acceptedAt.set(socket, performance.now())
    socket.once('close', () => acceptedAt.delete(socket))
  })
  // Browsers open connections before they need them. Node counts those as busy until their first request has ended: a
  // single one would hold a closing server up to its deadline.
  const sweep = () => {
    const now = performance.now()
    for (const [socket, since] of acceptedAt) {
      if (socket.bytesRead === 0 && now - since > GRACE_MS) socket.destroy()
    }
    // Those whose last answer was on its way when draining began, and did not say that they end.
    server.closeIdleConnections()
  }
  return {
    async refuseNew() {
      if (!isBehindProxy) return
      await untilQuiet(() => accepted)
      // That of HTTP would close idle connections as well.
      NetServer.prototype.close.call(server)
    },
    async closeIdle(deadlineMs) {
      if (isBehindProxy) await untilUsed(acceptedAt, Math.min(KEPT_MS, deadlineMs / 4))
      sweep()
      const timer = setInterval(sweep, SWEEP_INTERVAL_MS)
      return () => clearInterval(timer)
    },
  }
}

/**
 * A proxy that sends a POST into a connection while it is being closed answers 502: it cannot know whether the request was
 * carried out. Every answer of a node that drains says that its connection ends, so each is used once more at most.
 */
async function untilUsed(open: ReadonlyMap<Socket, number>, atMostMs: number): Promise<void> {
  const end = performance.now() + atMostMs
  while (open.size > 0 && performance.now() < end) await sleep(SWEEP_INTERVAL_MS)
}

/**
 * Closing cuts the connections that wait to be accepted, of which Node takes one in each turn. A turn that took none, and no
 * time either, has just seen that there is none.
 */
async function untilQuiet(accepted: () => number): Promise<void> {
  for (let left = TURNS; left > 0; left -= 1) {
    const [begun, before] = [performance.now(), accepted()]
    await nextTurn()
    if (accepted() === before && performance.now() - begun < QUIET_MS) return
  }
}
