import type { PackagePage, PublishedVersion } from '@patchbay/contracts/registry'
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
  return incompatibilities(type, metadataOf(version), target).map(({ message }) => `${capitalize(message)}.`)
}

/** The version that would be installed there. */
export function versionFor({ type, versions }: PackagePage, target: Target): PackageVersion | undefined {
  return chooseForInstall({ type, versions: versions.filter(isOffered).map(metadataOf) }, target)
}

/** Its author advises against all that is offered. */
export function isDeprecated({ versions }: PackagePage): boolean {
  const offered = versions.filter(isOffered)
  return offered.length > 0 && offered.every(({ status }) => status === 'deprecated')
}

/** A yanked version is for those who name it. */
export function isOffered({ yanked }: PublishedVersion): boolean {
  return yanked === null
}

export function isAllYanked({ versions }: PackagePage): boolean {
  return versions.length > 0 && !versions.some(isOffered)
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

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
