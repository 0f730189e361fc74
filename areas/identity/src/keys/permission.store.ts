import type { MemberRole, ScopeArea } from '@patchbay/contracts/identity'
import type { Db } from '@patchbay/kernel/postgres'
import type { IdentityDeps } from '../deps.ts'
import type { Principal } from '../principal.ts'
import type { IdentityTables } from '../tables.ts'
import { type Access, scopesCover, scopesTouch, standingAllows } from './permission.ts'

/**
 * Whether a request may see or change a repository of an owner, at this moment: a key that was made by a maintainer
 * is worth nothing to its scope once they are none.
 */
export async function isAllowed(
  { db }: Pick<IdentityDeps, 'db'>,
  who: Principal,
  area: ScopeArea,
  owner: string,
  repo: string,
  access: Access,
): Promise<boolean> {
  return isInScope(who, area, owner, repo) && (await hasStanding(db, who, owner, access))
}

/** Whether what a request shows is for this at all, whatever its person may do. */
export function isInScope({ credential }: Principal, area: ScopeArea, owner: string, repo: string): boolean {
  return credential.scopes === null || scopesCover(credential.scopes, area, owner, repo)
}

/** Whether there is anything of an owner that a request may see or change: asked before it is known which repository. */
export async function isAllowedAny(
  { db }: Pick<IdentityDeps, 'db'>,
  { personId, handle, credential }: Principal,
  area: ScopeArea,
  owner: string,
  access: Access,
): Promise<boolean> {
  if (credential.scopes !== null && !scopesTouch(credential.scopes, area, owner)) return false
  return await hasStanding(db, { personId, handle }, owner, access)
}

async function hasStanding(
  db: Db<IdentityTables>,
  { personId, handle }: Pick<Principal, 'personId' | 'handle'>,
  owner: string,
  access: Access,
): Promise<boolean> {
  if (owner === handle) return standingAllows('self', access)
  const roles = await findRoles(db, personId, [owner])
  return standingAllows(roles.get(owner) ?? 'none', access)
}

/** Of a list of owners, those for whom somebody may not write. */
export async function ownersBeyond(
  db: Db<IdentityTables>,
  { personId, handle }: Pick<Principal, 'personId' | 'handle'>,
  owners: readonly string[],
): Promise<ReadonlySet<string>> {
  const others = owners.filter((owner) => owner !== handle)
  if (others.length === 0) return new Set()
  const roles = await findRoles(db, personId, others)
  return new Set(others.filter((owner) => !standingAllows(roles.get(owner) ?? 'none', 'write')))
}

async function findRoles(
  db: Db<IdentityTables>,
  personId: string,
  organizations: readonly string[],
): Promise<ReadonlyMap<string, MemberRole>> {
  const rows = await db
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .select(['organizations.handle', 'members.role'])
    .where('members.person_id', '=', personId)
    .where('organizations.handle', '=', (row) => row.fn.any(row.val([...organizations])))
    .execute()
  return new Map(rows.map(({ handle, role }) => [handle, role]))
}
