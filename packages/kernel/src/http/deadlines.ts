import { Problem } from '@patchbay/contracts/core'
import type { FastifyReply } from 'fastify'
import { type Flight, FlightList } from './flights.ts'

const SWEEP_INTERVAL_MS = 250

/**
 * Answers for handlers that do not. One timer looks over everything in flight: a timer and an abort signal per
 * request would cost a tenth of the throughput.
 */
export class Deadlines {
  readonly #byDeadline = new Map<number, FlightList>()
  readonly #timer = setInterval(() => this.#sweep(), SWEEP_INTERVAL_MS).unref()

  /**
   * Where routes with this deadline enter their requests and take them out. 0 is no deadline, and no list: a stream that
   * took its connection over never reports its end, and nobody would ever sweep it out.
   */
  list(deadlineMs: number): FlightList | undefined {
    if (deadlineMs === 0) return undefined
    const known = this.#byDeadline.get(deadlineMs) ?? new FlightList()
    this.#byDeadline.set(deadlineMs, known)
    return known
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #sweep(): void {
    const now = performance.now()
    for (const [deadlineMs, flights] of this.#byDeadline) {
      for (const { reply } of overdue(flights, now - deadlineMs)) answerFor(reply)
    }
  }
}

/** In the order of arrival: whoever comes after one that is in time is in time too. */
function overdue(flights: FlightList, begunBefore: number): Flight[] {
  const late: Flight[] = []
  for (const flight of flights) {
    if (flight.begunAt > begunBefore) break
    late.push(flight)
  }
  for (const flight of late) flights.remove(flight)
  return late
}

function answerFor(reply: FastifyReply): void {
  // A handler that took the connection over, such as an event stream, answers for itself.
  if (!reply.sent) void reply.send(new Problem('deadline_exceeded'))
}
