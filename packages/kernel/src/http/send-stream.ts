import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** The framework's own HEAD would read a stream to its end, and says `content-length: 0` with a 304. */
export const READ: ('GET' | 'HEAD')[] = ['GET', 'HEAD']

/** For how long a client may take nothing: longer than networks change, shorter than files can be held open by strangers. */
const STALL_MS = 60_000

/**
 * Sends a stream at the pace of the client and destroys it when the client leaves, takes nothing for too long, or asked
 * for the head alone. The caller has set the length, so a stream that fails cuts the connection.
 */
export function sendStream(reply: FastifyReply, stream: Readable, stallMs = STALL_MS): FastifyReply {
  if (reply.sent || reply.request.method === 'HEAD') {
    stream.destroy()
    return reply.sent ? reply : reply.send()
  }
  reply.raw.setTimeout(stallMs, () => reply.raw.destroy())
  return reply.send(stream)
}
