import { Problem } from '@patchbay/contracts/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ObjectStore } from '../objects/index.ts'
import { parseRange } from './range.ts'
import { sendStream } from './send-stream.ts'

/** Smaller ones are read and checked in memory: what a stream costs is more than what it carries then. */
export const SENT_WHOLE_BYTES = 256 * 1024

export interface SentObject {
  readonly sha256: string
  readonly size: number
  readonly mediaType: string
  /** Its version, quoted. */
  readonly etag: string
}

/** Sends an object whole, a range of it, or the word that the client has it already; what `problemWhenGone` says if its bytes are gone. */
export async function sendObject(
  request: FastifyRequest,
  reply: FastifyReply,
  objects: ObjectStore,
  { sha256, size, mediaType, etag }: SentObject,
  given: Readonly<Record<string, string>>,
  problemWhenGone: () => Problem | Promise<Problem>,
): Promise<FastifyReply> {
  const { range, 'if-range': condition, 'if-none-match': known } = request.raw.headers
  const headers = {
    ...given,
    etag,
    'accept-ranges': 'bytes',
    'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
  }
  if (known?.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim())) === true)
    return reply.code(304).headers(headers).send()
  const isAsked = range !== undefined && request.method === 'GET' && (condition ?? etag) === etag
  const part = isAsked ? parseRange(range, size) : undefined
  if (part === 'unsatisfiable')
    throw new Problem('range_not_satisfiable', { headers: { 'content-range': `bytes */${size}` } })
  if (part === undefined && size <= SENT_WHOLE_BYTES) {
    const bytes = await objects.read(sha256, size)
    if (bytes === undefined) throw await problemWhenGone()
    reply.headers({ ...headers, 'content-type': mediaType, 'content-length': size })
    return reply.send(request.method === 'HEAD' ? undefined : bytes)
  }
  const content = await (part === undefined ? objects.get(sha256) : objects.getPart(sha256, part))
  if (content === undefined) throw await problemWhenGone()
  reply.headers({ ...headers, 'content-type': mediaType })
  if (part === undefined) return sendStream(reply.header('content-length', size), content.stream)
  const { first, last } = part
  reply.code(206).headers({
    'content-range': `bytes ${first}-${last}/${size}`,
    'content-length': last - first + 1,
  })
  return sendStream(reply, content.stream)
}
