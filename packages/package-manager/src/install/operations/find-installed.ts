import { InstallFailure } from '../install-failure.ts'
import type { InstalledEntry } from '../installed-package.ts'
import type { InstalledState } from '../state/installed-state.ts'

/** How an installed package is spelt, whatever the case it is asked for in: its folders and its pin are the same. */
export function installedSpelling(state: InstalledState, identifier: string): string | undefined {
  if (state.has(identifier)) return identifier
  return [...state.keys()].find((each) => each.toLowerCase() === identifier.toLowerCase())
}

export function findInstalled(state: InstalledState, identifier: string): InstalledEntry {
  const entry = state.get(identifier)
  if (entry !== undefined) return entry
  throw new InstallFailure(
    'not_installed',
    `${identifier} is not installed: check the spelling, or list what is`,
    {
      identifier,
    },
  )
}
