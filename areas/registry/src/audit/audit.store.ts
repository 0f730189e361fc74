import type { AUDIT_ACTIONS } from '@patchbay/contracts/registry'
import type { Db } from '@patchbay/kernel/postgres'
import type { Publisher } from '../deps.ts'
import type { RegistryTables } from '../tables.ts'
import { type AuditPage, credentialName } from './audit.ts'

export interface AuditedChange {
  readonly action: (typeof AUDIT_ACTIONS)[number]
  readonly owner: string
  readonly identifier: string
  readonly version: string | null
  readonly detail: string
}

/** In the transaction of the change: an entry without its change, or a change without its entry, would be a lie. */
export async function noteChange(
  tx: Db<RegistryTables>,
  who: Publisher,
  change: AuditedChange,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('registry_audit')
    .values({
      ...change,
      at: now,
      actor_id: who.personId,
      actor: who.handle,
      credential: credentialName(who.credential),
    })
    .execute()
}

export async function listAudit(
  db: Db<RegistryTables>,
  owner: string,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<AuditPage> {
  const rows = await db
    .selectFrom('registry_audit')
    .select(['id', 'at', 'actor', 'credential', 'action', 'identifier', 'version', 'detail'])
    .where('owner', '=', owner)
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const entries = rows.slice(0, limit)
  return { entries, nextBefore: rows.length > limit ? entries.at(-1)?.id : undefined }
}
