import { sendReady } from '@patchbay/kernel/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedCodings, type Coding } from './encoding.ts'
import { hasContent } from './entity-tag.ts'
import type { Bytes, Representation } from './representation.ts'

/** The framework's own HEAD would read a stream to its end, and says `content-length: 0` with a 304. */
export const READ: ('GET' | 'HEAD')[] = ['GET', 'HEAD']

/** A stream is the framework's to send; anything else has been sent. */
export type Answered = FastifyReply | undefined

/**
 * Answers with the coding that the client likes best, or with 304. Ranges are not offered: everything here is small, or
 * checked by its hash as a whole.
 */
export function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  representation: Representation,
): Answered | Promise<Answered> {
  const { headers } = request.raw
  const coding = choose(representation.codings, headers['accept-encoding'])
  const known = headers['if-none-match']
  // Nearly everybody sends the very tag of this answer; the others are read member by member.
  if (known === representation.tag(coding) || hasContent(known, representation.sha256))
    return sendReady(reply, representation.unchanged(coding))
  const body = representation.load(coding)
  return body instanceof Promise
    ? body.then((loaded) => send(request, reply, representation, coding, loaded))
    : send(request, reply, representation, coding, body)
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
