import type { WorkspaceRef } from '@patchbay/contracts/panels'

/** Of this browser tab: a browser ends what a page shares when it is reloaded, and tells nobody. */
export interface SharedBefore {
  /** Whether the page shared when it was last left. Answered with yes once. */
  take(): boolean
  keep(isSharing: boolean): void
}

export function sharedBefore({ owner, repo }: WorkspaceRef): SharedBefore {
  const key = `patchbay.shared:${owner}/${repo}`
  const keep = (isSharing: boolean) => {
    try {
      if (isSharing) sessionStorage.setItem(key, 'yes')
      else sessionStorage.removeItem(key)
    } catch {
      // Refused: then a reload ends sharing without a word, as it did.
    }
  }
  return {
    keep,
    take() {
      try {
        return sessionStorage.getItem(key) !== null
      } catch {
        return false
      } finally {
        keep(false)
      }
    },
  }
}
