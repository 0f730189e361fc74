import type { Db } from '@patchbay/kernel/postgres'
import type { RegistryTables } from '../tables.ts'
import type { Encoding } from './encoding.ts'

export interface FeedFileRow {
  readonly encodings: Readonly<Partial<Record<Encoding, string>>>
}

/** Of a public feed, or of the private feed of `owner`. */
export async function findFeedFile(
  db: Db<RegistryTables>,
  sha256: string,
  name: string,
  owner?: string,
): Promise<FeedFileRow | undefined> {
  return db
    .selectFrom('feed_files')
    .select('encodings')
    .where('sha256', '=', sha256)
    .where('name', '=', name)
    .where('visibility', '=', owner === undefined ? 'public' : 'private')
    .$if(owner !== undefined, (query) => query.where('owner', '=', owner ?? ''))
    .limit(1)
    .executeTakeFirst()
}
