import type { ObjectStore } from '@patchbay/kernel/objects'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { type FeedName, feedPath } from '../files/addresses.ts'
import type { RegistryTables } from '../tables.ts'
import { measureText } from '../trust/measure.ts'
import type { FeedDraft } from './feed-draft.store.ts'
import { areThere, type FeedFile } from './feed-objects.store.ts'
import { lockIndex } from './index-lock.store.ts'
import { areSettingsOf } from './index-settings.store.ts'
import type { SignedChanges, Signer } from './signer.store.ts'

export interface CommitDeps {
  readonly db: Db<RegistryTables>
  readonly objects: ObjectStore
  readonly signer: Signer | undefined
  readonly brands: readonly string[]
  readonly fingerprint: string
}

/** A publisher waits for it: what else waits for a signature is signed apart from it. */
const MARKS_PER_COMMIT = 50

/**
 * Makes a draft the feed that everybody reads, with its signatures, in one step. `false`: another build came first, or
 * an object of the draft is gone, or the settings are not ours anymore; nothing has changed.
 */
export function commitFeed(
  { db, objects, signer, brands, fingerprint }: CommitDeps,
  draft: FeedDraft,
  now: Date,
): Promise<boolean> {
  const { feed, revision, base, previousBrands, content } = draft
  return inTransaction(db, async (tx) => {
    await lockIndex(tx)
    if (!(await areSettingsOf(tx, fingerprint))) return false
    if (content !== undefined && !(await areThere(objects, content.files))) return false
    const { numUpdatedRows } = await tx
      .updateTable('feeds')
      .set({
        built_revision: revision,
        looked_at: now,
        fingerprint,
        is_too_large: content === undefined,
        ...(content === undefined ? {} : { files: JSON.stringify(content.state) }),
      })
      .where('owner', '=', feed.owner)
      .where('visibility', '=', feed.visibility)
      // Two drafts of the same state would give other content the same time.
      .where('built_revision', '=', base)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await replaceFiles(tx, feed, content?.files ?? [], now)
    // Of a private feed nothing is signed: the public one of the same change follows it.
    if (signer === undefined || feed.visibility === 'private') return true
    const repositories = content?.state.repositories ?? {}
    const changes: SignedChanges = new Map(
      [...new Set([...previousBrands, ...brands])].map((brand) => {
        const text = repositories[brand]
        return [feedPath(feed, brand), text === undefined ? null : measureText(text)]
      }),
    )
    await signer.sign(tx, { changes, marks: MARKS_PER_COMMIT, now })
    return true
  })
}

async function replaceFiles(
  tx: Db<RegistryTables>,
  feed: FeedName,
  files: readonly FeedFile[],
  now: Date,
): Promise<void> {
  const { owner, visibility } = feed
  const current = files.map(({ sha256 }) => sha256)
  await tx
    .updateTable('feed_files')
    .set({ replaced_at: now })
    .where('owner', '=', owner)
    .where('visibility', '=', visibility)
    .where('replaced_at', 'is', null)
    .$if(current.length > 0, (query) => query.where('sha256', 'not in', current))
    .execute()
  if (files.length === 0) return
  const rows = new Map(files.map((file) => [`${file.sha256} ${file.name}`, file]))
  await tx
    .insertInto('feed_files')
    .values(
      [...rows.values()].map(({ sha256, name, size, encodings }) => ({
        sha256,
        name,
        owner,
        visibility,
        size,
        encodings: JSON.stringify(encodings),
        replaced_at: null,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['sha256', 'name', 'owner', 'visibility']).doUpdateSet((row) => ({
        replaced_at: null,
        encodings: row.ref('excluded.encodings'),
      })),
    )
    .execute()
}
