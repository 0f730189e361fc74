import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type { ObjectStore } from '@patchbay/kernel/objects'
import type { Db } from '@patchbay/kernel/postgres'
import { compressor, ENCODINGS, type Encoding } from '../files/encoding.ts'
import type { RegistryTables } from '../tables.ts'
import type { BuiltContent } from './feed.ts'
import { chunksOf, type Spooled } from './spool-file.io.ts'

/** A file of a feed and the objects that hold it. */
export interface FeedFile extends BuiltContent {
  readonly name: string
  /** The compressed forms, each an object of its own. */
  readonly encodings: Readonly<Partial<Record<Encoding, string>>>
}

function objectsOf({ sha256, encodings }: FeedFile): string[] {
  return [sha256, ...Object.values(encodings)]
}

/** Puts a finished file and its compressed forms into the object store. */
export async function storeFile(
  objects: ObjectStore,
  { content: { sha256, size }, read }: Spooled,
  name: string,
): Promise<FeedFile> {
  await objects.put(read(), { expectedSha256: sha256 })
  // A zip does not get smaller.
  if (!name.endsWith('.json')) return { name, sha256, size, encodings: {} }
  const stored = await Promise.all(
    ENCODINGS.map(async (encoding) => {
      const put = (source: AsyncIterable<Uint8Array>) => objects.put(source)
      const compressed = await pipeline(read(), compressor(encoding, size), put)
      return [encoding, compressed.sha256] as const
    }),
  )
  return { name, sha256, size, encodings: Object.fromEntries(stored) }
}

/** The files of an earlier build with the same bytes, when all their objects are still there. */
export async function findStored(
  db: Db<RegistryTables>,
  objects: ObjectStore,
  sha256: string,
  name: string,
): Promise<FeedFile | undefined> {
  const row = await db
    .selectFrom('feed_files')
    .select(['size', 'encodings'])
    .where('sha256', '=', sha256)
    .where('name', '=', name)
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const file = { name, sha256, size: row.size, encodings: row.encodings }
  return (await areThere(objects, [file])) ? file : undefined
}

export async function areThere(objects: ObjectStore, files: readonly FeedFile[]): Promise<boolean> {
  const found = await Promise.all(files.flatMap(objectsOf).map((sha256) => objects.stat(sha256)))
  return found.every((each) => each !== undefined)
}

export async function storeText(objects: ObjectStore, text: string, name: string): Promise<FeedFile> {
  const bytes = Buffer.from(text)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await objects.put(chunksOf([bytes]), { expectedSha256: sha256 })
  return { name, sha256, size: bytes.byteLength, encodings: {} }
}
