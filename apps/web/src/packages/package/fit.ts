import type { PackagePage, PublishedVersion } from '@patchbay/contracts'
import {
  chooseForInstall,
  incompatibilities,
  type PackageType,
  type PackageVersion,
  RUNTIMES,
  type Target,
} from '@patchbay/package-format'

/** Why a version does not run there, as sentences; empty when it does. */
export function reasonsAgainst(type: PackageType, version: PublishedVersion, target: Target): string[] {
  return incompatibilities(type, metadataOf(version), target).map(({ message }) => `${capitalise(message)}.`)
}

/** The version that would be installed there. */
export function versionFor({ type, versions }: PackagePage, target: Target): PackageVersion | undefined {
  return chooseForInstall({ type, versions: versions.map(metadataOf) }, target)
}

/** As metadata has it: what the server answers as `null` or as an empty list is absent there. */
function metadataOf(published: PublishedVersion): PackageVersion {
  const { version, version_epoch, status, tool_version, tool_version_max, platforms } = published
  const runtime = RUNTIMES.find((each) => each === published.runtime)
  return {
    version,
    version_epoch,
    status,
    tool_version,
    ...(tool_version_max === null ? {} : { tool_version_max }),
    ...(platforms.length === 0 ? {} : { platforms }),
    ...(runtime === undefined ? {} : { runtime }),
  }
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
