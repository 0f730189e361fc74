import type { PackageVersion } from '@patchbay/package-format'
import type { Change, InstallOptions, OperationOptions } from '../change.ts'
import { InstallFailure } from '../install-failure.ts'
import type { PackageOffer } from '../install-source.ts'
import type { Generation } from '../installed-package.ts'
import { folderNameOf } from '../layout.ts'
import type { InstalledState } from '../state/installed-state.ts'
import type { Workplace } from '../workplace.ts'
import { askSource } from './ask-source.ts'
import { chooseVersion } from './choose-version.ts'
import { warnOfDeprecated, warnOfYanked, yankOf } from './deprecation.ts'
import { installedSpelling } from './find-installed.ts'
import { isOfOtherOrigin } from './other-origin.ts'
import { replace } from './replace.ts'

export async function install(
  place: Workplace,
  state: InstalledState,
  asked: string,
  options: InstallOptions = {},
): Promise<Change> {
  folderNameOf(asked)
  const identifier = installedSpelling(state, asked) ?? asked
  const current = state.get(identifier)?.current
  const isSame = current !== undefined && (options.version ?? current.version) === current.version
  if (isSame && options.force !== true) return unchanged(identifier, current.version)
  const offer = await findOffer(place, identifier)
  const { version, reasons } = chooseVersion(place, offer, options)
  return installVersion(place, state, {
    offer,
    version,
    kind: current === undefined ? 'installed' : 'updated',
    options,
    warnings: [
      ...reasons.map(({ message }) => `${identifier} ${version.version} ${message}`),
      ...warnOfOrigin(current, offer),
    ],
  })
}

async function findOffer(place: Workplace, identifier: string): Promise<PackageOffer> {
  const offer = await askSource(place, identifier)
  if (offer !== undefined) return offer
  const advice = 'check the spelling, and whether its repository is among yours'
  throw new InstallFailure('unknown_package', `nobody offers ${identifier}: ${advice}`, { identifier })
}

export interface VersionToInstall {
  readonly offer: PackageOffer
  readonly version: PackageVersion
  readonly kind: Change['kind']
  readonly options: OperationOptions
  readonly warnings?: readonly string[]
}

export async function installVersion(
  place: Workplace,
  state: InstalledState,
  { offer, version, kind, options, warnings = [] }: VersionToInstall,
): Promise<Change> {
  const { identifier, name, type, keep_on_update: patterns = [] } = offer.package
  const keep = [...new Set([...patterns, ...(version.keep_on_update ?? [])])]
  return replace(place, state, {
    identifier,
    kind,
    patterns: keep,
    force: options.force === true,
    warnings: [
      ...warnings,
      ...warnOfDeprecated(identifier, version),
      ...warnOfYanked(identifier, version.version, offer),
      ...warnOfUnverified(identifier, version),
    ],
    async stage(home) {
      // Only here: it loads the archive reader and the validator behind it, which nothing else needs.
      const { stageArchive } = await import('../stage/stage-archive.ts')
      const { sha256, files } = await stageArchive(place, { offer, version, home }, options)
      const { version: number, version_epoch: epoch, status } = version
      return {
        generation: {
          name,
          type,
          version: number,
          ...(epoch !== undefined && { version_epoch: epoch }),
          status,
          ...(yankOf(version, offer) === undefined ? {} : { isYanked: true }),
          repository: offer.repository,
          ...(offer.origin !== undefined && { origin: offer.origin }),
          sha256,
          keep_on_update: keep,
        },
        files: files.map(({ installedPath, size, sha256: hash }) => ({
          path: installedPath,
          size,
          sha256: hash,
        })),
      }
    },
  })
}

function warnOfUnverified(
  identifier: string,
  { download_sha256: sha256, version }: PackageVersion,
): string[] {
  if (sha256 !== undefined) return []
  return [`${identifier} ${version} was not verified: its repository gives no hash`]
}

function warnOfOrigin(current: Generation | undefined, offer: PackageOffer): string[] {
  if (current === undefined || !isOfOtherOrigin(current, offer)) return []
  const {
    package: { identifier },
    origin,
  } = offer
  return [`${identifier} comes from ${origin ?? 'an unknown place'} now; it came from ${current.origin}`]
}

function unchanged(identifier: string, version: string): Change {
  return { identifier, kind: 'unchanged', from: version, to: version, kept: [], warnings: [] }
}
