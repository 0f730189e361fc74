import { PLATFORMS, type Platform } from '@patchbay/package-format'
import { isToolVersion } from '../catalog/catalog-query.ts'

/** What somebody wants to install on. The tool version is empty until they say it. */
export interface ChosenTarget {
  readonly toolVersion: string
  readonly platform: Platform
}

const STORAGE_KEY = 'patchbay.target'

/** What was chosen on this device, else what the browser lets guess. */
export function readTarget(): ChosenTarget {
  const { toolVersion, platform } = readStored()
  return {
    toolVersion: typeof toolVersion === 'string' && isToolVersion(toolVersion) ? toolVersion : '',
    platform: PLATFORMS.find((each) => each === platform) ?? guessPlatform(navigator.userAgent),
  }
}

export function rememberTarget(target: ChosenTarget): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(target))
  } catch {
    // Storage is refused in some private modes; the choice then holds until the page is closed.
  }
}

function guessPlatform(userAgent: string): Platform {
  if (/windows/i.test(userAgent)) return 'windows'
  return /mac os|macintosh/i.test(userAgent) ? 'macos' : 'linux'
}

function readStored(): { readonly toolVersion?: unknown; readonly platform?: unknown } {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
    return typeof stored === 'object' && stored !== null ? stored : {}
  } catch {
    return {}
  }
}
