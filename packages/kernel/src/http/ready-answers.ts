import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { InFlight } from './flights.ts'
import { API_HEADERS } from './security-headers.ts'

/** The head of an answer that is the same for everybody, spelt once. */
export interface ReadyHead {
  readonly status: number
  /** Names and values by turns, as Node takes them without looking anything up; the request id comes first. */
  readonly fields: readonly string[]
}

const ID_AT = 1

export function readyHead(status: number, headers: Readonly<Record<string, string>>): ReadyHead {
  const spelt = { ...API_HEADERS, ...headers }
  for (const [name, value] of Object.entries(spelt)) {
    // Here nothing is sent yet; later the status would already be set.
    validateHeaderName(name)
    validateHeaderValue(name, value)
  }
  return { status, fields: ['x-request-id', '', ...Object.entries(spelt).flat()] }
}

/**
 * Answers at once with what was made before. For files that are asked for thousands of times a second: the framework
 * would collect, copy and look through the same headers every time. Guards, deadline, metrics, log and draining are those
 * of every answer; hooks that a route adds for the sending are not asked.
 */
export function sendReady(reply: FastifyReply, head: ReadyHead, body?: Uint8Array): undefined {
  // Its deadline answered for it while the body was being fetched.
  if (reply.sent) return
  writeReadyHead(reply, head)
  // A HEAD is answered with the length of what a GET would bring.
  if (body === undefined || reply.request.method === 'HEAD') reply.raw.end()
  else reply.raw.end(body)
}

export function writeReadyHead(reply: FastifyReply, { status, fields }: ReadyHead): void {
  const { flight } = reply as InFlight
  const own = fields.slice()
  own[ID_AT] = reply.request.id
  if (flight !== null) own.push(...flight.lane.fields)
  if (flight?.lane.isDraining() === true) own.push('connection', 'close')
  reply.raw.writeHead(status, own)
  flight?.lane.land(flight, status)
}
