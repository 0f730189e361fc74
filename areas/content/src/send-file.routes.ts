import { Problem } from '@patchbay/contracts/core'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { parseRange, sendStream } from '@patchbay/kernel/http'
import type { ObjectStore } from '@patchbay/kernel/objects'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findFileAt } from './content.store.ts'
import type { ContentDeps } from './deps.ts'
import { type Content, normalPathOf } from './file-change.ts'

type Headers = Readonly<Record<string, string>>

/** The version of a file, as a header. */
export const tagOf = ({ revision }: { readonly revision: number }) => `"${revision}"`

/** Smaller ones are read and checked in memory: what a stream costs is more than what it carries then. */
export const SENT_WHOLE_BYTES = 256 * 1024

/** Whole, a range of it, or the word that the client has it already. */
export async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  objects: ObjectStore,
  { sha256, size, mediaType, revision }: Content & { readonly revision: number },
  given: Headers,
): Promise<FastifyReply> {
  const { range, 'if-range': condition, 'if-none-match': known } = request.raw.headers
  const etag = tagOf({ revision })
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
    if (bytes === undefined) throw new Problem('objects_unavailable')
    reply.headers({ ...headers, 'content-type': mediaType, 'content-length': size })
    return reply.send(request.method === 'HEAD' ? undefined : bytes)
  }
  const content = await (part === undefined ? objects.get(sha256) : objects.getPart(sha256, part))
  if (content === undefined) throw new Problem('objects_unavailable')
  reply.headers({ ...headers, 'content-type': mediaType })
  if (part === undefined) return sendStream(reply.header('content-length', size), content.stream)
  const { first, last } = part
  reply.code(206).headers({
    'content-range': `bytes ${first}-${last}/${size}`,
    'content-length': last - first + 1,
  })
  return sendStream(reply, content.stream)
}

/** What a browser decodes by the header alone: without it a page in UTF-8 is read as something older. */
const TEXT = /^(?:text\/|application\/(?:json|xml|yaml|toml)$|image\/svg\+xml$)/

/**
 * Sends the files of a workspace with the headers of whoever asks, to somebody who is known to be allowed. `undefined`: there
 * is none of this path.
 */
export function createFileSender({ db, objects }: Pick<ContentDeps, 'db' | 'objects'>) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    at: WorkspaceRef,
    path: string,
    headers: Headers,
  ): Promise<FastifyReply | undefined> => {
    const normal = normalPathOf(path)
    const { file } = normal === undefined ? { file: undefined } : await findFileAt(db, at, normal)
    if (file === undefined) return undefined
    const { mediaType } = file
    const shown = { ...file, mediaType: TEXT.test(mediaType) ? `${mediaType}; charset=utf-8` : mediaType }
    return await sendContent(request, reply, objects, shown, headers)
  }
}
