import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedCodings, type Coding } from './encoding.ts'
import { hasContent } from './entity-tag.ts'
import type { Bytes, Representation } from './representation.ts'

/** The framework's own HEAD would read a stream to its end, and says `content-length: 0` with a 304. */
export const READ: ('GET' | 'HEAD')[] = ['GET', 'HEAD']

/**
 * Answers with the coding that the client likes best, or with 304. Ranges are not offered: everything here is small, or
 * checked by its hash as a whole.
 */
export function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  representation: Representation,
): FastifyReply | Promise<FastifyReply> {
  const coding = choose(representation.codings, request.headers['accept-encoding'])
  if (hasContent(request.headers['if-none-match'], representation.sha256))
    return reply
      .headers(representation.headers[coding] ?? {})
      .code(304)
      .send()
  const body = representation.load(coding)
  return body instanceof Promise
    ? body.then((loaded) => send(request, reply, representation, coding, loaded))
    : send(request, reply, representation, coding, body)
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, headers }: Representation,
  coding: Coding,
  body: Bytes,
): FastifyReply {
  // Not before there is a body: a failure would carry the tag and the name of the file.
  reply.headers(headers[coding] ?? {})
  if (coding !== 'identity') reply.header('content-encoding', coding)
  reply.type(type)
  if (Buffer.isBuffer(body)) return reply.send(body)
  reply.header('content-length', body.size)
  if (request.method !== 'HEAD') return reply.send(body.stream)
  body.stream.destroy()
  return reply.send()
}

function choose(codings: readonly Coding[], header: string | string[] | undefined): Coding {
  const accepted = acceptedCodings(Array.isArray(header) ? header.join(',') : header)
  return accepted.find((coding) => codings.includes(coding)) ?? 'identity'
}
