import { NEUTRAL_BRAND, writeDialect } from '@patchbay/package-format'
import { findPublishFaults } from '@patchbay/package-format/publish-faults'
import { findPackageFaults } from '@patchbay/package-format/validate'
import type { BuildOptions } from './build-options.ts'
import type { BuildFault } from './build-refused.ts'
import { archiveName, type PackageList } from './package-list.ts'
import type { PreviousOutput } from './previous-output.ts'

/** What existing tools read at most. */
const LARGEST_LIST = 10 * 1024 * 1024

export interface BuildCheck {
  readonly faults: readonly BuildFault[]
  readonly warnings: readonly string[]
}

/** What is wrong with the list as a whole, where every archive by itself is right. */
export function checkBuild(
  list: PackageList,
  packagesFile: Uint8Array,
  { published }: PreviousOutput,
  { folder, allowReplaced, allowEmpty, brand = NEUTRAL_BRAND }: BuildOptions,
): BuildCheck {
  const faults: BuildFault[] = []
  const warnings: string[] = []
  if (list.versions.length === 0 && published.size > 0 && allowEmpty !== true) {
    const message = `holds no packages, and ${published.size} versions were published: check the folder, or allow that all of them go`
    faults.push({ code: 'nothing_to_publish', source: folder, message, findings: [] })
  }
  for (const { identifier, version, inspection, source } of list.versions) {
    const before = published.get(archiveName(identifier, version.version))
    if (before === undefined || before === inspection.sha256 || allowReplaced === true) continue
    const message = `${identifier} ${version.version} was published with other bytes; raise the version, so that everybody gets the change`
    faults.push({ code: 'replaced_version', source, message, findings: [] })
  }
  for (const each of list.packages) {
    // Publish faults of the whole entry, as a client uses it: patterns of the newest version count for the older ones as well.
    const publishing = findPublishFaults(each)
    for (const { severity, pointer, message } of publishing)
      if (severity === 'warning') warnings.push(`${each.identifier}: ${pointer} ${message}`)
    const findings = [...findPackageFaults(writeDialect(each, brand), { brand }), ...publishing].filter(
      ({ severity }) => severity === 'error',
    )
    const [first] = findings
    if (first === undefined) continue
    const message = `the entry of the list is invalid: ${first.pointer} ${first.message}`
    faults.push({ code: 'invalid_package', source: each.identifier, message, findings })
  }
  if (packagesFile.length > LARGEST_LIST)
    warnings.push(
      `packages.json has ${packagesFile.length} bytes; existing tools read ${LARGEST_LIST} at most`,
    )
  return { faults, warnings }
}
