import type { Db } from '@patchbay/kernel/postgres'
import type { RegistryTables } from '../tables.ts'

export interface TrustRole {
  readonly role: string
  readonly version: number
  readonly file: string
  readonly body: Buffer
}

export interface NewTrustFile {
  readonly role: string
  readonly version: number
  readonly file: string
  readonly body: Uint8Array
  /** Empty for what was signed offline. */
  readonly keyId: string
  readonly renewAt: Date | null
}

/** PostgreSQL takes 65,535 parameters a statement. */
const BATCH = 1_000

export async function readRoles(
  tx: Db<RegistryTables>,
  roles: readonly string[],
): Promise<Map<string, TrustRole>> {
  if (roles.length === 0) return new Map()
  const rows = await tx
    .selectFrom('trust_roles as r')
    .innerJoin('trust_metadata as m', 'm.file', 'r.file')
    .select(['r.role', 'r.version', 'r.file', 'm.body'])
    .where('r.role', 'in', roles)
    .execute()
  return new Map(rows.map((row) => [row.role, row]))
}

/** The online roles that are past half of their life, or that another key signed. */
export async function findDueRoles(
  tx: Db<RegistryTables>,
  keyId: string,
  now: Date,
  limit: number,
): Promise<string[]> {
  const found: { role: string }[] = []
  for (const query of selectDueRoles(tx, keyId, now, limit)) found.push(...(await query.execute()))
  return [...new Set(found.map(({ role }) => role))].slice(0, limit)
}

export function selectDueRoles(tx: Db<RegistryTables>, keyId: string, now: Date, limit: number) {
  const due = tx
    .selectFrom('trust_roles')
    .select('role')
    .where('renew_at', '<=', now)
    .orderBy('renew_at')
    .limit(limit)
  // In two parts, because no index finds what is not equal: without them every look would read all bins.
  const signed = tx.selectFrom('trust_roles').select('role').where('key_id', '>', '')
  const before = signed.where('key_id', '<', keyId).limit(limit)
  const behind = signed.where('key_id', '>', keyId).limit(limit)
  return [due, before, behind]
}

export async function storeTrustFiles(
  tx: Db<RegistryTables>,
  files: readonly NewTrustFile[],
  now: Date,
): Promise<void> {
  for (let start = 0; start < files.length; start += BATCH) {
    const batch = files.slice(start, start + BATCH)
    await retire(tx, batch, now)
    await tx
      .insertInto('trust_metadata')
      .values(batch.map(({ file, body }) => ({ file, body, stored_at: now, replaced_at: null })))
      .onConflict((conflict) =>
        conflict
          .column('file')
          .doUpdateSet((row) => ({ body: row.ref('excluded.body'), stored_at: now, replaced_at: null })),
      )
      .execute()
    await tx
      .insertInto('trust_roles')
      .values(
        batch.map(({ role, version, file, keyId, renewAt }) => ({
          role,
          version,
          file,
          key_id: keyId,
          renew_at: renewAt,
        })),
      )
      .onConflict((conflict) =>
        conflict.column('role').doUpdateSet((row) => ({
          version: row.ref('excluded.version'),
          file: row.ref('excluded.file'),
          key_id: row.ref('excluded.key_id'),
          renew_at: row.ref('excluded.renew_at'),
        })),
      )
      .execute()
  }
}

/** A client that has read the timestamp before goes on with the files that it led to. Roots are never given up. */
async function retire(tx: Db<RegistryTables>, files: readonly NewTrustFile[], now: Date): Promise<void> {
  const roles = files.map(({ role }) => role).filter((role) => role !== 'root')
  if (roles.length === 0) return
  await tx
    .updateTable('trust_metadata')
    .from('trust_roles')
    .set({ replaced_at: now })
    .whereRef('trust_roles.file', '=', 'trust_metadata.file')
    .where('trust_roles.role', 'in', roles)
    .execute()
}

export async function findTrustFile(db: Db<RegistryTables>, file: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom('trust_metadata').select('body').where('file', '=', file).executeTakeFirst()
  return row?.body
}
