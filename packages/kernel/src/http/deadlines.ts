import { Problem } from '@patchbay/contracts'
import type { FastifyReply } from 'fastify'

interface InFlight {
  readonly startedAt: number
  readonly deadlineMs: number
}

const SWEEP_INTERVAL_MS = 250

/**
 * Answers for handlers that do not. One timer looks over everything in flight: a timer and an abort signal per
 * request would cost a tenth of the throughput.
 */
export class Deadlines {
  readonly #inFlight = new Map<FastifyReply, InFlight>()
  #timer: NodeJS.Timeout | undefined

  get inFlight(): number {
    return this.#inFlight.size
  }

  watch(reply: FastifyReply, deadlineMs: number): void {
    this.#inFlight.set(reply, { startedAt: performance.now(), deadlineMs })
    this.#timer ??= setInterval(() => this.#sweep(), SWEEP_INTERVAL_MS).unref()
  }

  done(reply: FastifyReply): void {
    this.#inFlight.delete(reply)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #sweep(): void {
    const now = performance.now()
    for (const [reply, { startedAt, deadlineMs }] of this.#inFlight) {
      if (deadlineMs === 0 || now - startedAt < deadlineMs) continue
      this.#inFlight.delete(reply)
      // A stream that has begun can only be cut; a reply that has not can still say why.
      if (reply.raw.headersSent) reply.raw.destroy()
      else if (!reply.sent) void reply.send(new Problem('deadline_exceeded'))
    }
  }
}
