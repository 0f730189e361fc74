import {
  chooseForInstall,
  type PackageType,
  type PackageVersion,
  type Target,
  YANKED_VERSIONS,
  yankedVersionsOf,
} from '@patchbay/package-format'
import type { InstallSource } from '@patchbay/package-manager'

/** Below every version of a tool. */
export const ANY_TOOL = '0'

interface FreeVersion extends PackageVersion {
  readonly listed: PackageVersion
}

export interface AnyTool extends InstallSource {
  /** Which tool the version that was taken needs. */
  needs(identifier: string, version: string): string | undefined
}

/** For somebody who did not say which tool they have: its version is no reason to refuse anything. */
export function forAnyTool(source: InstallSource, target: Target): AnyTool {
  const seen = new Map<string, { readonly type: PackageType; readonly free: readonly FreeVersion[] }>()
  return {
    async find(identifier) {
      const offer = await source.find(identifier)
      if (offer === undefined) return undefined
      const { type, versions } = offer.package
      const free = versions.map(freeOf)
      const yanked = yankedVersionsOf(offer.package).map(freeOf)
      seen.set(identifier, { type, free: [...free, ...yanked] })
      return { ...offer, package: { ...offer.package, versions: free, [YANKED_VERSIONS]: yanked } }
    },
    needs(identifier, version) {
      const { type = 'plugin', free = [] } = seen.get(identifier) ?? {}
      const named = free.filter((each) => each.version === version)
      // A list may have one version several times, for a platform each: the one that was taken is meant.
      const taken =
        named.find((each) => each === chooseForInstall({ type, versions: named }, target)) ?? named[0]
      if (taken === undefined) return undefined
      const { tool_version: min, tool_version_max: max } = taken.listed
      return max === undefined ? `${min} or newer` : `${min} to ${max}`
    },
  }
}

function freeOf(listed: PackageVersion): FreeVersion {
  const { tool_version_max: _max, ...version } = listed
  return { ...version, tool_version: ANY_TOOL, listed }
}
