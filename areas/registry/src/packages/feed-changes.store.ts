import type { Visibility } from '@patchbay/contracts/registry'
import type { Db } from '@patchbay/kernel/postgres'
import { INSTALLATION } from '../installation.ts'
import type { RegistryTables } from '../tables.ts'

export interface Change {
  readonly owner: string
  readonly visibility: Visibility
  readonly identifier: string
  readonly now: Date
}

/**
 * Says inside the transaction of a change which derived files it makes old. Always in the same order: two publishers
 * that touched the same rows the other way round would wait for each other.
 */
export async function markChanged(
  tx: Db<RegistryTables>,
  { owner, visibility, identifier, now }: Change,
): Promise<void> {
  if (visibility === 'public')
    await tx
      .insertInto('sparse_marks')
      .values({ identifier, marked_at: now })
      .onConflict((conflict) => conflict.column('identifier').doUpdateSet({ marked_at: now }))
      .execute()
  await tx
    .insertInto('feeds')
    .values(feedsOf(owner, visibility).map((feed) => ({ ...feed, revision: 1 })))
    .onConflict((conflict) =>
      conflict
        .columns(['owner', 'visibility'])
        .doUpdateSet(({ eb }) => ({ revision: eb('feeds.revision', '+', 1) })),
    )
    .execute()
}

/** The private feed of an owner holds all packages, so every change reaches it. The installation's row is locked last. */
export function feedsOf(owner: string, visibility: Visibility): { owner: string; visibility: Visibility }[] {
  const own = { owner, visibility: 'private' } as const
  if (visibility === 'private') return [own]
  return [own, { owner, visibility: 'public' }, { owner: INSTALLATION, visibility: 'public' }]
}
