import {
  DEVICE_SCOPE_AREAS,
  FILE_SCOPE_AREAS,
  type MemberRole,
  PANEL_SCOPE_AREAS,
  type ScopeArea,
} from '@patchbay/contracts/identity'

export type Access = 'read' | 'write'

/** What somebody is to an owner: the owner themselves, a member of the organization, or nothing. */
export type Standing = 'self' | MemberRole | 'none'

export function standingAllows(standing: Standing, access: Access): boolean {
  if (standing === 'none') return false
  return access === 'read' || standing !== 'member'
}

/** A repository counts by its exact spelling, `*` for every one of the owner. */
export function scopesCover(
  scopes: readonly string[],
  area: ScopeArea,
  owner: string,
  repo: string,
): boolean {
  return areasThatCover(area).some(
    (each) => scopes.includes(`${each}:${owner}/*`) || scopes.includes(`${each}:${owner}/${repo}`),
  )
}

/** Whether there is anything of the owner that they cover. */
export function scopesTouch(scopes: readonly string[], area: ScopeArea, owner: string): boolean {
  return areasThatCover(area).some((each) => scopes.some((scope) => scope.startsWith(`${each}:${owner}/`)))
}

/** `panels` stands for every call on a workspace and its panels, not on its files; each of those for itself alone. */
function areasThatCover(area: ScopeArea): readonly ScopeArea[] {
  if (area === 'files:read') return [area, 'files:write']
  if (area === 'devices:read') return [area, 'devices:command']
  return PANEL_SCOPE_AREAS.some((part) => part === area) ? [area, 'panels'] : [area]
}

/** One workspace that a scope names; `undefined` where it is for more, or for something else. */
export function workspaceOf(scope: string): { readonly owner: string; readonly repo: string } | undefined {
  const at = scope.lastIndexOf(':')
  const area = scope.slice(0, at)
  const [owner = '', repo = ''] = scope.slice(at + 1).split('/')
  const isOne = repo !== '*' && WORKSPACE_AREAS.some((each) => each === area)
  return isOne ? { owner, repo } : undefined
}

const WORKSPACE_AREAS: readonly ScopeArea[] = [
  'panels',
  ...PANEL_SCOPE_AREAS,
  ...FILE_SCOPE_AREAS,
  ...DEVICE_SCOPE_AREAS,
]

/** The owners that a list of scopes speaks of, each once. */
export function ownersOf(scopes: readonly string[]): string[] {
  return [...new Set(scopes.map(ownerOf))]
}

export function ownerOf(scope: string): string {
  return scope.slice(scope.lastIndexOf(':') + 1, scope.indexOf('/'))
}
