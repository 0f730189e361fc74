import type { PackageVersion } from '@patchbay/package-format'
import type { InstallSource } from '@patchbay/package-manager'

/** Below every version of a tool. */
export const ANY_TOOL = '0'

export interface AnyTool extends InstallSource {
  /** Which tool the version that was taken needs. */
  needs(identifier: string, version: string): string | undefined
}

/** For somebody who did not say which tool they have: its version is no reason to refuse anything. */
export function forAnyTool(source: InstallSource): AnyTool {
  const seen = new Map<string, readonly PackageVersion[]>()
  return {
    async find(identifier) {
      const offer = await source.find(identifier)
      if (offer === undefined) return undefined
      const { versions } = offer.package
      seen.set(identifier, versions)
      const free = versions.map(({ tool_version_max: _max, ...version }) => ({
        ...version,
        tool_version: ANY_TOOL,
      }))
      return { ...offer, package: { ...offer.package, versions: free } }
    },
    needs(identifier, version) {
      const found = seen.get(identifier)?.find((each) => each.version === version)
      if (found === undefined) return undefined
      const { tool_version: min, tool_version_max: max } = found
      return max === undefined ? `${min} or newer` : `${min} to ${max}`
    },
  }
}
