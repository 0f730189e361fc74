import { Problem } from '@patchbay/contracts'
import { readyHead, sendFile, sendReady } from '@patchbay/kernel/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedCodings, type Coding } from './encoding.ts'
import { hasContent } from './entity-tag.ts'
import { type ByteRange, parseRange } from './range.ts'
import type { Bytes, Parts, Representation } from './representation.ts'

/** The framework's own HEAD would read a stream to its end, and says `content-length: 0` with a 304. */
export const READ: ('GET' | 'HEAD')[] = ['GET', 'HEAD']

/** A stream is the framework's to send; anything else has been sent. */
export type Answered = FastifyReply | undefined

/** Answers with the coding that the client likes best, with 304, or with the part that it asked for. */
export function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  representation: Representation,
): Answered | Promise<Answered> {
  const { headers } = request.raw
  const coding = choose(representation.codings, headers['accept-encoding'])
  if (isKnown(request, representation, coding)) return sendReady(reply, representation.unchanged(coding))
  const part = askedPart(request, representation)
  if (part !== undefined) {
    const { first, last, parts } = part
    return sendPart(reply, 206, part, {
      ...representation.describe('identity', last - first + 1),
      'content-range': `bytes ${first}-${last}/${parts.size}`,
    })
  }
  const { parts } = representation
  if (request.method === 'GET' && parts?.isSound() === true)
    return sendPart(
      reply,
      200,
      { parts, first: 0, last: parts.size - 1 },
      representation.describe('identity', parts.size),
    )
  const body = representation.load(coding)
  return body instanceof Promise
    ? body.then((loaded) => send(request, reply, representation, coding, loaded))
    : send(request, reply, representation, coding, body)
}

/** Whether the client has it. Nearly everybody sends the very tag of this answer; the others are read member by member. */
export function isKnown(request: FastifyRequest, representation: Representation, coding: Coding): boolean {
  const known = request.raw.headers['if-none-match']
  return known === representation.tag(coding) || hasContent(known, representation.sha256)
}

interface AskedPart extends ByteRange {
  readonly parts: Parts
}

function askedPart(request: FastifyRequest, representation: Representation): AskedPart | undefined {
  const { parts } = representation
  const { range, 'if-range': condition } = request.raw.headers
  if (parts === undefined || range === undefined || request.method !== 'GET') return undefined
  // A date, a weak tag or that of other bytes: a part of these would be joined to a part of something else.
  if (condition !== undefined && condition !== representation.tag('identity')) return undefined
  const asked = parseRange(range, parts.size)
  if (asked === 'unsatisfiable')
    throw new Problem('range_not_satisfiable', { headers: { 'content-range': `bytes */${parts.size}` } })
  return asked === undefined ? undefined : { ...asked, parts }
}

async function sendPart(
  reply: FastifyReply,
  status: number,
  { first, last, parts }: AskedPart,
  headers: Readonly<Record<string, string>>,
): Promise<Answered> {
  const body = await parts.open({ first, last })
  if ('read' in body) return await sendFile(reply, readyHead(status, headers), body, { first, last })
  return reply.code(status).headers(headers).send(body.stream)
}

// Not before there is a body: a failure would carry the tag and the name of the file.
function send(
  request: FastifyRequest,
  reply: FastifyReply,
  representation: Representation,
  coding: Coding,
  body: Bytes,
): Answered {
  if (Buffer.isBuffer(body)) return sendReady(reply, representation.whole(coding, body.byteLength), body)
  reply.headers(representation.describe(coding, body.size))
  if (request.method !== 'HEAD') return reply.send(body.stream)
  body.stream.destroy()
  return reply.send()
}

function choose(codings: readonly Coding[], header: string | string[] | undefined): Coding {
  const accepted = acceptedCodings(Array.isArray(header) ? header.join(',') : header)
  return accepted.find((coding) => codings.includes(coding)) ?? 'identity'
}
