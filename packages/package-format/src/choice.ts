import { incompatibilities, type Target } from './compatibility.ts'
import type { Package, PackageVersion } from './package.ts'
import { compareVersions, type Versioned } from './version.ts'
import { VERSION_STATUSES, type VersionStatus } from './vocabulary.ts'

type Offer = Pick<Package, 'type' | 'versions'>

/** The highest compatible stable version; where none is stable, the highest compatible one. */
export function chooseForInstall(pkg: Offer, target: Target): PackageVersion | undefined {
  const compatible = compatibleVersions(pkg, target)
  return highest(compatible.filter(({ status }) => status === 'stable')) ?? highest(compatible)
}

/** The highest compatible version above the installed one that is at least as settled; undefined: stay. */
export function chooseForUpdate(
  pkg: Offer,
  installed: Versioned & { readonly status: VersionStatus },
  target: Target,
): PackageVersion | undefined {
  return highest(
    compatibleVersions(pkg, target).filter(
      (version) =>
        compareVersions(version, installed) > 0 && unsettledness(version) <= unsettledness(installed),
    ),
  )
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

function unsettledness({ status }: { readonly status: VersionStatus }): number {
  return VERSION_STATUSES.indexOf(status)
}
