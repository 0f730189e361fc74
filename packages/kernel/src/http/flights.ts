import type { ProblemCode } from '@patchbay/contracts/core'
import type { FastifyReply } from 'fastify'
import type { Span } from '../tracing/index.ts'

/** A request that has not been answered yet. */
export interface Flight {
  readonly reply: FastifyReply
  readonly begunAt: number
  /** Of a request that is traced. */
  readonly span: Span | undefined
  /** Of the problem that it is answered with. */
  code: ProblemCode | undefined
  previous: Flight | undefined
  next: Flight | undefined
}

/** `null` before its route saw the request. */
export type InFlight = FastifyReply & { flight: Flight | null }

export function beginFlight(reply: FastifyReply, begunAt: number, span: Span | undefined): Flight {
  return { reply, begunAt, span, code: undefined, previous: undefined, next: undefined }
}

/**
 * What is in flight, oldest first. A linked list, because a map keyed by the reply gives every reply an identity hash
 * and rebuilds its table again and again: measured, that was a fifth of what the whole factory costs.
 */
export class FlightList {
  #first: Flight | undefined
  #last: Flight | undefined

  add(flight: Flight): void {
    flight.previous = this.#last
    if (this.#last === undefined) this.#first = flight
    else this.#last.next = flight
    this.#last = flight
  }

  /** Removing one that is not in the list any more changes nothing. */
  remove(flight: Flight): void {
    const { previous, next } = flight
    if (previous === undefined && this.#first !== flight) return
    if (previous === undefined) this.#first = next
    else previous.next = next
    if (next === undefined) this.#last = previous
    else next.previous = previous
    flight.previous = undefined
    flight.next = undefined
  }

  *[Symbol.iterator](): Generator<Flight> {
    for (let flight = this.#first; flight !== undefined; flight = flight.next) yield flight
  }
}
