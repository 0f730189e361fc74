import { constants } from 'node:fs'
import { access, rename } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { flushFolder } from '@patchbay/primitives/files'
import { type Clock, systemClock } from '../clock/index.ts'
import { ObjectCorrupt, onEngine } from './errors.ts'
import {
  makeFolder,
  makeFolders,
  openFile,
  readFolder,
  readWhole,
  removeFile,
  statFile,
} from './file-system.ts'
import { openTemporary, removeLeftovers } from './file-temporary.ts'
import { checkExpectation, receive } from './intake.ts'
import { checkListOptions, isObjectName, pageOf, requireName } from './object-name.ts'
import type { ListedObject, ObjectStore } from './ports.ts'
import { ofLength, requireHash, verified } from './verified-stream.ts'

const SHARD = /^[0-9a-f]{2}$/

/** 65,536 folders: a million objects are 15 in each. */
function objectPath(root: string, sha256: string): string {
  return join(root, sha256.slice(0, 2), sha256.slice(2, 4), sha256)
}

/** Up to `count` objects after a name. Opens only the folders that can hold them. */
async function listFiles(root: string, after: string, count: number): Promise<ListedObject[]> {
  const found: ListedObject[] = []
  for (const outer of await shards(root, after.slice(0, 2))) {
    const from = after.startsWith(outer) ? after.slice(2, 4) : ''
    for (const inner of await shards(join(root, outer), from)) {
      const folder = join(root, outer, inner)
      for (const sha256 of (await readFolder(folder)).toSorted()) {
        if (sha256 <= after || !isObjectName(sha256) || !sha256.startsWith(outer + inner)) continue
        const stats = await statFile(join(folder, sha256))
        if (stats !== undefined) found.push({ sha256, ...stats })
        if (found.length === count) return found
      }
    }
  }
  return found
}

async function shards(folder: string, from: string): Promise<string[]> {
  return (await readFolder(folder)).filter((name) => SHARD.test(name) && name >= from).toSorted()
}

export interface FileObjectsOptions {
  readonly root: string
  readonly clock?: Clock
}

const FILE_MODE = 0o640
const LEFTOVER_AGE_MS = 24 * 60 * 60 * 1000
const READ_BYTES = 256 * 1024

/** A stream asks for a buffer of this size twice, whatever it finds: for a small file that would be mostly garbage. */
const readBytes = (size: number) => Math.min(READ_BYTES, size + 1)

/** Objects are `root/ab/cd/<sha256>`; what is being written is in `root/tmp`, on the same file system. */
export async function createFileObjects({
  root: folder,
  clock = systemClock,
}: FileObjectsOptions): Promise<ObjectStore> {
  const root = resolve(folder)
  const incoming = join(root, 'tmp')
  await onEngine(makeFolders(incoming))
  await onEngine(removeLeftovers(incoming, new Date(clock.now().getTime() - LEFTOVER_AGE_MS)))
  const place = createPlacement(root)

  const ping = () => onEngine(access(incoming, constants.R_OK | constants.W_OK | constants.X_OK))

  /** An unmounted disk is not an empty one: without the root, "no such object" would be a guess. */
  const find = async <T>(
    sha256: string,
    look: (path: string) => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    if (!isObjectName(sha256)) return undefined
    const found = await onEngine(look(objectPath(root, sha256)))
    if (found === undefined) await ping()
    return found
  }

  return {
    async put(source, options = {}) {
      checkExpectation(options)
      await using temporary = await openTemporary(incoming, FILE_MODE)
      const { sha256, size } = await receive(source, temporary.file, options)
      await onEngine(temporary.file.sync())
      options.signal?.throwIfAborted()
      return { sha256, size, created: await onEngine(place(temporary.path, sha256, size)) }
    },
    async get(sha256, { signal } = {}) {
      signal?.throwIfAborted()
      const found = await find(sha256, openFile)
      if (found === undefined) return undefined
      const source = found.file.createReadStream({ highWaterMark: readBytes(found.size) })
      return { size: found.size, stream: verified(source, { sha256, signal }) }
    },
    async read(sha256, size) {
      const bytes = await find(sha256, (path) => readWhole(path, size))
      if (bytes === 'other-size') throw new ObjectCorrupt(sha256)
      return bytes && requireHash(bytes, sha256)
    },
    async getPart(sha256, { first, last }) {
      const found = await find(sha256, openFile)
      if (found === undefined) return undefined
      const size = last - first + 1
      const source = found.file.createReadStream({ start: first, end: last, highWaterMark: readBytes(size) })
      return { size, stream: ofLength(source, size) }
    },
    pathOf: (sha256) => relative(root, objectPath(root, requireName(sha256))),
    async list(options) {
      checkListOptions(options)
      await ping()
      return pageOf(await onEngine(listFiles(root, options.after ?? '', options.limit + 1)), options.limit)
    },
    stat: (sha256) => find(sha256, statFile),
    delete: async (sha256) => (await find(sha256, removeFile)) ?? false,
    ping,
    close: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  }
}

/** Gives a finished file its name. `false`: the object was there. */
function createPlacement(root: string) {
  const flushed = new Set<string>()

  /** Folders that a power cut takes away take their objects with them: their own names are flushed, once a process. */
  const prepare = async (folder: string) => {
    if (flushed.has(folder)) return
    await makeFolder(dirname(folder))
    await makeFolder(folder)
    await flushFolder(root)
    await flushFolder(dirname(folder))
    flushed.add(folder)
  }

  return async (temporary: string, sha256: string, size: number): Promise<boolean> => {
    const path = objectPath(root, sha256)
    const folder = dirname(path)
    await prepare(folder)
    try {
      // A copy of another size is a broken one; it would outlive every repeated put.
      const created = (await statFile(path))?.size !== size
      if (created) await rename(temporary, path)
      // Also for an object that was there: the put that wrote it may not have come this far yet.
      await flushFolder(folder)
      return created
    } catch (error) {
      flushed.delete(folder)
      throw error
    }
  }
}
