import { buffer } from 'node:stream/consumers'
import { Problem } from '@patchbay/contracts'
import type { ObjectStore } from '@patchbay/kernel/objects'
import { BoundedCache } from './bounded-cache.ts'
import type { Bytes, Streamed } from './representation.ts'

/** Objects on their way to clients; small ones that are asked for often come from memory. */
export interface StoredBodies {
  load(sha256: string): Bytes | Promise<Bytes>
  /** Never through memory. */
  open(sha256: string): Promise<Streamed>
}

const MAX_BYTES = 64 * 1024 * 1024
const LARGEST_KEPT = 8 * 1024 * 1024

export function createStoredBodies(objects: ObjectStore): StoredBodies {
  const bodies = new BoundedCache<Buffer>({ maxWeight: MAX_BYTES, weigh: (body) => body.byteLength })

  const open = async (sha256: string): Promise<Streamed> => {
    const found = await objects.get(sha256)
    // A row names it: the store has lost it, and "there is no such file" would be cached as the truth.
    if (found === undefined) throw new Problem('objects_unavailable')
    return found
  }
  const fetch = async (sha256: string): Promise<Bytes> => {
    const stat = await objects.stat(sha256)
    if (stat === undefined) throw new Problem('objects_unavailable')
    if (stat.size > LARGEST_KEPT) return open(sha256)
    const body = await bodies.load(sha256, async () => buffer((await open(sha256)).stream))
    return body ?? Buffer.alloc(0)
  }
  return { open, load: (sha256) => bodies.peek(sha256) ?? fetch(sha256) }
}
