import { Problem } from '@patchbay/contracts/core'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { sendObject } from '@patchbay/kernel/http'
import type { ObjectStore } from '@patchbay/kernel/objects'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findFileAt } from './content.store.ts'
import type { ContentDeps } from './deps.ts'
import { type Content, normalPathOf } from './file-change.ts'

type Headers = Readonly<Record<string, string>>

/** The version of a file, as a header. */
export const tagOf = ({ revision }: { readonly revision: number }) => `"${revision}"`

export async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  objects: ObjectStore,
  content: Content & { readonly revision: number },
  headers: Headers,
): Promise<FastifyReply> {
  const sent = { ...content, etag: tagOf(content) }
  return await sendObject(request, reply, objects, sent, headers, () => new Problem('objects_unavailable'))
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
