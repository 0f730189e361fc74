import { PANEL_SCOPE_AREAS } from '@patchbay/contracts/identity'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import type { Caller, PanelArea, PanelsAccess, PanelsDeps } from '../deps.ts'
import { findRole, listSharedBy } from './member.store.ts'
import { roleAllows } from './member.ts'

export interface RightsDeps {
  readonly db: PanelsDeps['db']
  readonly access: Pick<PanelsAccess, 'isAllowed' | 'isInScope'>
}

export interface Admission {
  /** One of them is enough. */
  readonly areas: readonly PanelArea[]
  readonly access: 'read' | 'write'
  /** Not for those whom the owner has let in, whatever their role. */
  readonly isOwnersOnly?: true
  /** However often they ask: somebody who stops a machine is never told to wait. */
  readonly isUrgent?: true
}

/** By what they are to the owner, or because they were let in. A key's scopes hold in both cases. */
export type Right = 'standing' | 'role'

/** Why somebody may do this; `undefined`: they may not. */
export async function rightOf(
  { db, access: rights }: RightsDeps,
  caller: Caller,
  { owner, repo }: WorkspaceRef,
  { areas, access, isOwnersOnly }: Admission,
): Promise<Right | undefined> {
  for (const area of areas) if (await rights.isAllowed(caller, area, owner, repo, access)) return 'standing'
  if (isOwnersOnly === true || !areas.some((area) => rights.isInScope(caller, area, owner, repo)))
    return undefined
  const role = await findRole(db, { owner, repo }, caller.personId)
  return role !== undefined && roleAllows(role, access) ? 'role' : undefined
}

export async function isAllowed(
  deps: RightsDeps,
  caller: Caller,
  area: PanelArea,
  ref: WorkspaceRef,
  access: 'read' | 'write',
): Promise<boolean> {
  return (await rightOf(deps, caller, ref, { areas: [area], access })) !== undefined
}

/** Whether there is any workspace of the owner that they may see. */
export async function mayReadAny(
  deps: RightsDeps & { readonly access: Pick<PanelsAccess, 'mayReadAny'> },
  caller: Caller,
  owner: string,
): Promise<boolean> {
  const { db, access } = deps
  if (await access.mayReadAny(caller, owner)) return true
  const shared = await listSharedBy(db, owner, caller.personId)
  return shared.some((repo) => PANEL_SCOPE_AREAS.some((area) => access.isInScope(caller, area, owner, repo)))
}
