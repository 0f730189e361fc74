import {
  chooseForInstall,
  type Incompatibility,
  incompatibilities,
  type PackageVersion,
  yankedVersionsOf,
} from '@patchbay/package-format'
import type { InstallOptions } from '../change.ts'
import { InstallFailure } from '../install-failure.ts'
import type { PackageOffer } from '../install-source.ts'
import type { Workplace } from '../workplace.ts'

/** The version to install, with the reasons why it does not run here if a person wants it all the same. */
export function chooseVersion(
  { target }: Workplace,
  { package: offered }: PackageOffer,
  { version: wanted, force }: InstallOptions,
): { readonly version: PackageVersion; readonly reasons: readonly Incompatibility[] } {
  const { identifier, type, versions } = offered
  if (wanted === undefined) {
    const version = chooseForInstall(offered, target)
    if (version !== undefined) return { version, reasons: [] }
    throw nothingFits(offered, target)
  }
  // Some lists have one version several times, for a platform or runtime each: the one that fits best is meant.
  // A yanked version is for whoever asks for this very one.
  const [named] = [...versions, ...yankedVersionsOf(offered)]
    .filter((each) => each.version === wanted)
    .map((version) => ({ version, reasons: incompatibilities(type, version, target) }))
    .toSorted((a, b) => a.reasons.length - b.reasons.length)
  if (named === undefined) {
    const known = versions.map((each) => each.version).join(', ') || 'none'
    throw new InstallFailure('unknown_version', `${identifier} has no version ${wanted}; offered: ${known}`, {
      identifier,
    })
  }
  const { reasons } = named
  if (reasons.length === 0 || force === true) return named
  const said = reasons.map(({ message }) => message).join('; ')
  throw new InstallFailure(
    'incompatible',
    `${identifier} ${wanted} does not run here: ${said}. Choose another version, or force it`,
    { identifier, incompatibilities: reasons },
  )
}

function nothingFits(offered: PackageOffer['package'], target: Workplace['target']): InstallFailure {
  const { identifier, type, versions } = offered
  const reasons = versions.flatMap((version) => incompatibilities(type, version, target))
  const said = [...new Set(reasons.map(({ message }) => message))].join('; ')
  const message =
    versions.length === 0
      ? yankedVersionsOf(offered).length > 0
        ? `every version of ${identifier} was yanked. One can be installed by its name`
        : `${identifier} is no longer offered: its repository lists no version`
      : `no version of ${identifier} runs here: ${said}. A version can be forced by its name`
  return new InstallFailure('no_compatible_version', message, { identifier, incompatibilities: reasons })
}
