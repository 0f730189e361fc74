import { type PackageVersion, type VersionStatus, yankedVersionsOf } from '@patchbay/package-format'
import { escapeHidden } from '@patchbay/primitives/text'
import type { PackageOffer } from '../install-source.ts'

interface Installed {
  readonly version: string
  readonly status: VersionStatus
}

/** Whether its repository advises against the installed version today. What is listed no longer keeps its status. */
export function isDeprecatedNow({ version, status }: Installed, { package: offered }: PackageOffer): boolean {
  const listed = offered.versions.filter((each) => each.version === version)
  return (listed.length === 0 ? [{ status }] : listed).every((each) => each.status === 'deprecated')
}

/** Why the installed version was yanked; `undefined`: it was not. */
export function yankOf({ version }: Pick<Installed, 'version'>, offer: PackageOffer): string | undefined {
  const { package: offered } = offer
  if (offered.versions.some((each) => each.version === version)) return undefined
  const yanked = yankedVersionsOf(offered).find((each) => each.version === version)
  return yanked && (yanked.yank_reason ?? '')
}

/** Whoever has a version that was yanked leaves it as they would a deprecated one. */
export function asInstalled<Entry extends Installed>(installed: Entry, offer: PackageOffer): Entry {
  return yankOf(installed, offer) === undefined ? installed : { ...installed, status: 'deprecated' }
}

export function describeYank(identifier: string, version: string, reason: string): string {
  return `${identifier} ${version} was yanked${reason === '' ? '' : `: ${escapeHidden(reason)}`}`
}

export function warnOfYanked(identifier: string, version: string, offer: PackageOffer): string[] {
  const reason = yankOf({ version }, offer)
  return reason === undefined ? [] : [describeYank(identifier, version, reason)]
}

export function warnOfDeprecated(identifier: string, { version, status }: PackageVersion): string[] {
  if (status !== 'deprecated') return []
  return [`${identifier} ${version} is deprecated: its author advises against it`]
}
