import { Readable } from 'node:stream'
import {
  deleteFile,
  getChangedPaths,
  getDocument,
  getFile,
  getFileArchive,
  getFileChanges,
  getFileSearch,
  getFiles,
  postFileChanges,
  postFileEdits,
  postMissingBlobs,
  postReadBlobs,
  postRestore,
  putBlob,
  putFile,
} from '@patchbay/contracts/content'
import { Problem } from '@patchbay/contracts/core'
import { FILE_LIMITS, SEARCH_LIMITS } from '@patchbay/contracts/limits'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { type HttpApp, on, READ, SENT_WHOLE_BYTES, sendStream, uploadOf } from '@patchbay/kernel/http'
import type { ObjectContent, ObjectStore } from '@patchbay/kernel/objects'
import { Semaphore } from '@patchbay/primitives/async'
import { zipOf } from './archive.ts'
import { findBlobs, storeBytes } from './blob.store.ts'
import { changeFiles, requireKnown, restoreTree, writeFile } from './change.store.ts'
import { findContent, findFileAt, findVersion, readTree } from './content.store.ts'
import type { ContentDeps } from './deps.ts'
import { editDocument } from './document-editing.store.ts'
import { openDocument } from './document-opening.store.ts'
import { withEditsSaved } from './document-saving.store.ts'
import { createEditing, type Editing, filesKey } from './editing.socket.ts'
import { fileChanged, requirePath } from './file-change.ts'
import { listChangedPaths, listChanges, listFilesBelow, listFolder, type PageWish } from './listing.store.ts'
import { searchFiles } from './search.store.ts'
import { sendContent, tagOf } from './send-file.routes.ts'

/** A file of the largest size over a slow line; what stands still is cut off sooner. */
const UPLOAD_MS = 60 * 60_000
/** A step of ten thousand files on a busy machine. */
const CHANGE_MS = 60_000
const CHANGE_BYTES = 16 * 1024 ** 2
/** At once on this node: each holds a listener. */
const MOST_WAITING = 1_000

/** Each holds a few megabytes and the event loop for milliseconds at a time. */
const SEARCHES = { total: 4, perKey: 2, maxWaiting: 50, timeoutMs: 20_000 }
/** With the time that it may wait for others. */
const SEARCH_MS = 40_000

/** Nobody's browser is to run what a person has put there, nor to guess what it is. */
const INERT = {
  'content-security-policy': "sandbox; default-src 'none'",
  'content-disposition': 'attachment',
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, no-cache',
}

/** Answers what pages say and hear of the files that they edit. */
export function registerContent(app: HttpApp, deps: ContentDeps): Editing {
  const { db, clock, createSecret, objects, workspaces, bus } = deps
  let waiting = 0
  const searches = new Semaphore({ ...SEARCHES, refuse: () => new Problem('too_many_waiting') })

  /** What a change is followed by. It has happened: nothing of this may turn it into a failure. */
  const announce = (at: WorkspaceRef) => {
    workspaces.notify(at)
    bus.wakeups.notify(filesKey(at)).catch(() => undefined)
  }
  const editing = createEditing(deps, announce)

  app.route({
    ...on(getFiles),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      await workspaces.admit(request, request.params, 'read')
      const { folder, recursive = false, cursor, limit = 200 } = request.query
      const below = folder === undefined ? undefined : requirePath(folder)
      const content = await findContent(db, request.params)
      if (content === undefined) return { revision: 0, folders: [], files: [], nextCursor: null }
      const wish: PageWish = { after: readCursor(cursor), limit }
      const { revision, id } = content
      if (recursive) {
        const { items, next } = await listFilesBelow(db, id, below, wish)
        return { revision, folders: [], files: [...items], nextCursor: asCursor(next) }
      }
      const { items, next } = await listFolder(db, id, below, wish)
      return {
        revision,
        folders: items.flatMap((entry) => entry.folder ?? []),
        files: items.flatMap((entry) => entry.file ?? []),
        nextCursor: asCursor(next),
      }
    },
  })

  app.route({
    ...on(getFile, { deadlineMs: 0 }),
    method: READ,
    async handler(request, reply) {
      await workspaces.admit(request, request.params, 'read')
      const path = requirePath(request.query.path)
      const { content, file: current } = await findFileAt(db, request.params, path)
      if (content === undefined) throw new Problem('file_not_found')
      const { revision } = request.query
      if (revision !== undefined) requireKnown(content, revision)
      const file = revision === undefined ? current : await findVersion(db, content.id, path, revision)
      if (file === undefined || file === null) throw new Problem('file_not_found', { extensions: { path } })
      return await sendContent(request, reply, objects, file, INERT)
    },
  })

  app.route({
    ...on(putFile, { bodyLimit: FILE_LIMITS.fileBytes, deadlineMs: UPLOAD_MS }),
    async handler(request, reply) {
      const at = request.params
      const who = await workspaces.admit(request, at, 'write')
      const { path: given, reason, ...options } = request.query
      const path = requirePath(given)
      const expected = await expectedRevision(at, path, request.headers['if-match'])
      const { sha256 } = await storeBytes(deps, at, uploadOf(request))
      const operation = {
        op: 'put' as const,
        path,
        sha256,
        ...options,
        ...(expected === undefined ? {} : { ifRevision: expected }),
      }
      const { changed, file } = await writeFile(db, at, who, { operation, reason }, clock.now())
      if (changed.paths > 0) announce(at)
      return reply
        .code(expected === null ? 201 : 200)
        .header('etag', tagOf(file))
        .send(file)
    },
  })

  app.route({
    ...on(deleteFile, { deadlineMs: CHANGE_MS }),
    async handler(request) {
      const at = request.params
      const who = await workspaces.admit(request, at, 'write')
      const path = requirePath(request.query.path)
      const expected = await expectedRevision(at, path, request.headers['if-match'])
      const operation = {
        op: 'delete' as const,
        path,
        ...(expected === undefined ? {} : { ifRevision: expected }),
      }
      const change = { operations: [operation], reason: request.query.reason }
      const changed = await withEditsSaved(deps, () => changeFiles(db, at, who, change, clock.now()))
      announce(at)
      return changed
    },
  })

  app.route({
    ...on(postFileChanges, { bodyLimit: CHANGE_BYTES, deadlineMs: CHANGE_MS }),
    async handler(request) {
      const at = request.params
      const who = await workspaces.admit(request, at, 'write')
      const changed = await withEditsSaved(deps, () => changeFiles(db, at, who, request.body, clock.now()))
      if (changed.paths > 0) announce(at)
      return changed
    },
  })

  app.route({
    ...on(getFileSearch, { deadlineMs: SEARCH_MS }),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const at = request.params
      await workspaces.admit(request, at, 'read')
      const left = new AbortController()
      // Whoever types on asks again: nobody reads the answer to what was asked before.
      reply.raw.once('close', () => left.abort())
      const wish = { limit: 200, ...request.query, ms: SEARCH_LIMITS.ms, signal: left.signal }
      return await searches.run(() => searchFiles(deps, at, wish), { key: `${at.owner}/${at.repo}` })
    },
  })

  app.route({
    ...on(getDocument),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      await workspaces.admit(request, request.params, 'read')
      return await openDocument(deps, request.params, request.query.path)
    },
  })

  app.route({
    ...on(postFileEdits, { bodyLimit: CHANGE_BYTES, deadlineMs: CHANGE_MS }),
    async handler(request) {
      const at = request.params
      const who = await workspaces.admit(request, at, 'write')
      const edited = await editDocument(deps, at, who, request.body, createSecret())
      editing.noteEdits(edited.document)
      workspaces.notify(at)
      return edited
    },
  })

  app.route({
    ...on(postRestore, { deadlineMs: CHANGE_MS }),
    async handler(request) {
      const at = request.params
      const who = await workspaces.admit(request, at, 'write')
      const changed = await withEditsSaved(deps, () => restoreTree(db, at, who, request.body, clock.now()))
      if (changed.paths > 0) announce(at)
      return changed
    },
  })

  app.route({
    ...on(putBlob, { bodyLimit: FILE_LIMITS.fileBytes, deadlineMs: UPLOAD_MS }),
    async handler(request, reply) {
      const { sha256, ...at } = request.params
      await workspaces.admit(request, at, 'write')
      await storeBytes(deps, at, uploadOf(request), sha256)
      return reply.code(204).send()
    },
  })

  app.route({
    ...on(postMissingBlobs, { bodyLimit: CHANGE_BYTES }),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      await workspaces.admit(request, request.params, 'write')
      const content = await findContent(db, request.params)
      const asked = [...new Set(request.body.sha256)]
      const there = await findBlobs(db, content?.id, asked)
      return { missing: asked.filter((sha256) => !there.has(sha256)) }
    },
  })

  app.route({
    ...on(postReadBlobs, { deadlineMs: 0 }),
    async handler(request, reply) {
      await workspaces.admit(request, request.params, 'read')
      const { sha256: asked } = request.body
      const content = await findContent(db, request.params)
      const there = await findBlobs(db, content?.id, asked)
      const missing = asked.find((sha256) => !there.has(sha256))
      if (missing !== undefined) throw new Problem('bytes_missing', { extensions: { sha256: missing } })
      const size = asked.reduce((all, sha256) => all + (there.get(sha256) ?? 0), 0)
      reply.headers({ ...INERT, 'content-type': 'application/octet-stream', 'content-length': size })
      return sendStream(reply, Readable.from(readAll(objects, asked, there), { objectMode: false }))
    },
  })

  app.route({
    ...on(getFileChanges),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      await workspaces.admit(request, request.params, 'read')
      const { path: given, cursor, limit = 200 } = request.query
      const path = given === undefined ? undefined : requirePath(given)
      const wish = { after: readRevisionCursor(cursor), limit }
      const content = await findContent(db, request.params)
      if (content === undefined) return { items: [], nextCursor: null }
      const { items, next } = await listChanges(db, content.id, path, wish)
      return { items: [...items], nextCursor: asCursor(next) }
    },
  })

  app.route({
    ...on(getChangedPaths, { deadlineMs: CHANGE_MS }),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const at = request.params
      await workspaces.admit(request, at, 'read')
      const { after, until, wait = 0, cursor, limit = 200 } = request.query
      const read = async () => {
        const content = await findContent(db, at)
        const revision = Math.min(until ?? Number.MAX_SAFE_INTEGER, content?.revision ?? 0)
        if (content !== undefined && after < content.forgottenRevision) throw new Problem('history_gone')
        if (content === undefined || after >= revision) return { revision, items: [], nextCursor: null }
        const span = { after, until: revision }
        const { items, next } = await listChangedPaths(db, content.id, span, {
          after: readCursor(cursor),
          limit,
        })
        return { revision, items: [...items], nextCursor: asCursor(next) }
      }
      if (wait === 0) return await read()
      if (waiting >= MOST_WAITING) throw new Problem('too_many_waiting')
      waiting += 1
      try {
        await using waiter = await bus.wakeups.listen(filesKey(at))
        const first = await read()
        if (first.revision > after) return first
        await waiter.next(wait * 1_000)
        // Whoever waited may have lost the right to know.
        await workspaces.admit(request, at, 'read')
        return await read()
      } finally {
        waiting -= 1
      }
    },
  })

  app.route({
    ...on(getFileArchive, { deadlineMs: 0 }),
    async handler(request, reply) {
      const at = request.params
      await workspaces.admit(request, at, 'read')
      const folder = request.query.folder === undefined ? undefined : requirePath(request.query.folder)
      const content = await findContent(db, at)
      const revision = request.query.revision ?? content?.revision ?? 0
      if (content !== undefined) requireKnown(content, revision)
      const files = content === undefined ? [] : await readTree(db, content.id, revision)
      const wanted = folder === undefined ? files : files.filter(({ path }) => path.startsWith(`${folder}/`))
      reply.headers({
        ...INERT,
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="${at.repo}.zip"`,
        'patchbay-revision': String(revision),
      })
      return sendStream(reply, zipOf(wanted, folder, objects))
    },
  })

  /** The revision that the caller has read; `null`: the file must not be there; `undefined`: whatever is there. */
  async function expectedRevision(
    at: WorkspaceRef,
    path: string,
    header: string | undefined,
  ): Promise<number | null | undefined> {
    const expected = readIfMatch(header)
    if (expected === undefined) return undefined
    const { file: current } = await findFileAt(db, at, path)
    // Before the first byte: who writes on something else is told so without sending all of it.
    if ((current?.revision ?? null) !== expected) throw fileChanged(path, current)
    return expected
  }
  return editing
}

/** Opened while others are still being sent: most are small, and a store may be far away. */
const OPENED_AHEAD = 8

/** The length is promised: a content that is not there cuts the answer short. */
async function* readAll(
  objects: ObjectStore,
  hashes: readonly string[],
  sizes: ReadonlyMap<string, number>,
): AsyncGenerator<Uint8Array> {
  const opening: Promise<Buffer | ObjectContent | undefined>[] = []
  let next = 0
  const openMore = () => {
    for (; next < hashes.length && opening.length < OPENED_AHEAD; next += 1) {
      const sha256 = hashes[next] ?? ''
      const size = sizes.get(sha256) ?? 0
      const content = size <= SENT_WHOLE_BYTES ? objects.read(sha256, size) : objects.get(sha256)
      // It is told to whoever awaits it.
      content.catch(() => undefined)
      opening.push(content)
    }
  }
  try {
    for (openMore(); opening.length > 0; openMore()) {
      const content = await opening.shift()
      if (content === undefined) throw new Problem('objects_unavailable')
      if (Buffer.isBuffer(content)) yield content
      else yield* content.stream as AsyncIterable<Uint8Array>
    }
  } finally {
    for (const each of opening)
      each.then(
        (content) => (Buffer.isBuffer(content) ? undefined : content?.stream.destroy()),
        () => undefined,
      )
  }
}

/** `null` without a header: nobody overwrites what they have not read. */
function readIfMatch(header: string | undefined): number | null | undefined {
  if (header === undefined) return null
  if (header.trim() === '*') return undefined
  const [, revision] = /^"(\d{1,15})"$/.exec(header.trim()) ?? []
  // A tag that was never given out matches nothing that could be there.
  return revision === undefined ? -1 : Number(revision)
}

/** Opaque on the wire: a path could be read as one, and would have to be written like one. */
function asCursor(next: string | null): string | null {
  return next === null ? null : Buffer.from(next).toString('base64url')
}

function readCursor(cursor: string | undefined): string | undefined {
  return cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString()
}

function readRevisionCursor(cursor: string | undefined): string | undefined {
  const revision = readCursor(cursor)
  if (revision !== undefined && !/^\d{1,15}$/.test(revision)) throw new Problem('invalid_request')
  return revision
}
