import { incompatibilities, type Target } from './compatibility.ts'
import type { Package, PackageVersion } from './package.ts'
import { compareVersions, type Versioned } from './version.ts'
import { VERSION_STATUSES, type VersionStatus } from './vocabulary.ts'

type Offer = Pick<Package, 'type' | 'versions'>

/** The highest compatible stable version; else the highest that is not deprecated, and a deprecated one last. */
export function chooseForInstall(pkg: Offer, target: Target): PackageVersion | undefined {
  return preferredVersion(compatibleVersions(pkg, target))
}

/** Of versions that all would do, the one that is installed. */
export function preferredVersion(versions: readonly PackageVersion[]): PackageVersion | undefined {
  return (
    highest(versions.filter(({ status }) => status === 'stable')) ??
    highest(versions.filter(isRecommended)) ??
    highest(versions)
  )
}

/**
 * The highest compatible version above the installed one that is at least as settled, and never a deprecated one;
 * undefined: stay. Whoever has a deprecated one gets what would be installed.
 */
export function chooseForUpdate(
  pkg: Offer,
  installed: Versioned & { readonly status: VersionStatus },
  target: Target,
): PackageVersion | undefined {
  const newer = compatibleVersions(pkg, target).filter(
    (version) => isRecommended(version) && compareVersions(version, installed) > 0,
  )
  if (!isRecommended(installed)) return preferredVersion(newer)
  return highest(newer.filter((version) => instability(version) <= instability(installed)))
}

function isRecommended({ status }: { readonly status: VersionStatus }): boolean {
  return status !== 'deprecated'
}

function compatibleVersions({ type, versions }: Offer, target: Target): PackageVersion[] {
  return versions.filter((version) => incompatibilities(type, version, target).length === 0)
}

/** Of equal ones the first, so that the answer depends on the document alone. */
function highest(versions: readonly PackageVersion[]): PackageVersion | undefined {
  return versions.reduce<PackageVersion | undefined>(
    (best, each) => (best === undefined || compareVersions(each, best) > 0 ? each : best),
    undefined,
  )
}

function instability({ status }: { readonly status: VersionStatus }): number {
  return VERSION_STATUSES.indexOf(status)
}
