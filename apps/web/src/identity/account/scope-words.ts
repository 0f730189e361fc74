import type { ScopeArea } from '@patchbay/contracts/identity'
import { words } from './words.tsx'

/** What a scope lets a key do, such as “All packages of ada”. */
export function scopeInWords(scope: string): string {
  const end = scope.lastIndexOf(':')
  const [area, target] = [scope.slice(0, end), scope.slice(end + 1)]
  const [owner = '', name = ''] = target.split('/')
  // A server that is newer than this page may know more areas.
  const known = Object.hasOwn(words.scopes.areas, area) ? words.scopes.areas[area as ScopeArea] : undefined
  if (known === undefined) return scope
  return name === '*' ? known.all(owner) : known.one(owner, name)
}
