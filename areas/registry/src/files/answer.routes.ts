import { Problem } from '@patchbay/contracts/core'
import { type ByteRange, parseRange, sendStream } from '@patchbay/kernel/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedCodings, type Coding } from './encoding.ts'
import { hasContent } from './entity-tag.ts'
import type { Parts, Representation } from './representation.ts'

/** Answers with the coding that the client likes best, with 304, or with the part that it asked for. */
export async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  representation: Representation,
): Promise<FastifyReply> {
  const coding = choose(representation.codings, request.raw.headers['accept-encoding'])
  if (isKnown(request, representation, coding))
    return reply.code(304).headers(representation.name(coding)).send()
  const part = askedPart(request, representation)
  if (part !== undefined) {
    const { first, last, parts } = part
    const { stream } = await parts.open(part)
    return sendStream(
      reply
        .code(206)
        .headers(representation.describe('identity', last - first + 1))
        .header('content-range', `bytes ${first}-${last}/${parts.size}`),
      stream,
    )
  }
  const { parts } = representation
  const isSound = request.method === 'GET' && parts?.isSound() === true
  const body = isSound
    ? await parts.open({ first: 0, last: parts.size - 1 })
    : await representation.load(coding)
  // Not before there is a body: a failure would carry the tag and the name of the file.
  if (Buffer.isBuffer(body)) return reply.headers(representation.describe(coding, body.byteLength)).send(body)
  return sendStream(reply.headers(representation.describe(coding, body.size)), body.stream)
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

function choose(codings: readonly Coding[], header: string | string[] | undefined): Coding {
  const accepted = acceptedCodings(Array.isArray(header) ? header.join(',') : header)
  return accepted.find((coding) => codings.includes(coding)) ?? 'identity'
}
