import { buffer } from 'node:stream/consumers'
import { Problem } from '@patchbay/contracts/core'
import type { ByteRange } from '@patchbay/kernel/http'
import type { ObjectStore } from '@patchbay/kernel/objects'
import { BoundedCache } from './bounded-cache.ts'
import type { Bytes, Streamed } from './representation.ts'

/** Objects on their way to clients; small ones that are asked for often come from memory. */
export interface StoredBodies {
  load(sha256: string): Bytes | Promise<Bytes>
  /** For a small object that is asked for often, apart from the others: archives must not push lists out. */
  loadArchive(sha256: string): Bytes | Promise<Bytes>
  /** Never through memory. */
  open(sha256: string): Promise<Streamed>
  /** Whether `open` brought it whole and unharmed a short while ago. */
  isSound(sha256: string): boolean
  openPart(sha256: string, range: ByteRange): Promise<Streamed>
}

const MAX_BYTES = 64 * 1024 * 1024
const LARGEST_KEPT = 8 * 1024 * 1024
const MOST_VERIFIED = 1_000
/** Hashing takes most of the time of a large download, and whoever gets it hashes it too. */
const VERIFIED_MS = 10 * 60_000

export function createStoredBodies(objects: ObjectStore): StoredBodies {
  const bodies = new BoundedCache<Buffer>({ maxWeight: MAX_BYTES, weigh: (body) => body.byteLength })

  const verifiedAt = new BoundedCache<number>({ maxWeight: MOST_VERIFIED, weigh: () => 1 })

  const archives = new BoundedCache<Buffer>({ maxWeight: MAX_BYTES, weigh: (body) => body.byteLength })

  const open = async (sha256: string): Promise<Streamed> => {
    const found = await objects.get(sha256)
    // A row names it: the store has lost it, and "there is no such file" would be cached as the truth.
    if (found === undefined) throw new Problem('objects_unavailable')
    found.stream.once('end', () => verifiedAt.put(sha256, performance.now()))
    return found
  }
  const isSound = (sha256: string) =>
    performance.now() - (verifiedAt.peek(sha256) ?? Number.NEGATIVE_INFINITY) < VERIFIED_MS
  const fetch = async (sha256: string): Promise<Bytes> => {
    const stat = await objects.stat(sha256)
    if (stat === undefined) throw new Problem('objects_unavailable')
    if (stat.size > LARGEST_KEPT) return open(sha256)
    const body = await bodies.load(sha256, async () => buffer((await open(sha256)).stream))
    return body ?? Buffer.alloc(0)
  }
  const openPart = async (sha256: string, range: ByteRange): Promise<Streamed> => {
    const found = await objects.getPart(sha256, range)
    if (found === undefined) throw new Problem('objects_unavailable')
    return found
  }
  const fetchArchive = async (sha256: string): Promise<Bytes> => {
    const body = await archives.load(sha256, async () => buffer((await open(sha256)).stream))
    return body ?? Buffer.alloc(0)
  }
  const loadArchive = (sha256: string) => archives.peek(sha256) ?? fetchArchive(sha256)
  return { open, isSound, openPart, loadArchive, load: (sha256) => bodies.peek(sha256) ?? fetch(sha256) }
}
