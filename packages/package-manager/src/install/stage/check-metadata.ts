import type { Package, PackageVersion } from '@patchbay/package-format'
import { InstallFailure } from '../install-failure.ts'

/** An archive that says it is something else than the index says is not installed under the name of either. */
export function checkMetadata(archived: Package, listed: Package, version: PackageVersion): void {
  const differences = [
    ['identifier', archived.identifier, listed.identifier],
    ['version', archived.versions[0]?.version, version.version],
    ['type', archived.type, listed.type],
  ].filter(([, inside, outside]) => inside !== outside)
  if (differences.length === 0) return
  const said = differences.map(([what, inside, outside]) => `${what} is ${inside} instead of ${outside}`)
  throw new InstallFailure(
    'metadata_mismatch',
    `the archive of ${listed.identifier} ${version.version} holds something else: ${said.join(', ')}. Tell the author`,
    { identifier: listed.identifier },
  )
}
