import { chooseForUpdate } from '@patchbay/package-format'
import { isThere } from '../../file-system.ts'
import type { Failed } from '../change.ts'
import { InstallFailure } from '../install-failure.ts'
import type { InstalledEntry, InstalledPackage } from '../installed-package.ts'
import { pinOf } from '../layout.ts'
import type { InstalledState } from '../state/installed-state.ts'
import type { Workplace } from '../workplace.ts'
import { askSource } from './ask-source.ts'
import { asInstalled, isDeprecatedNow, yankOf } from './deprecation.ts'
import { isOfOtherOrigin } from './other-origin.ts'

export interface Outdated {
  readonly identifier: string
  readonly installed: string
  readonly available: string
  readonly isPinned: boolean
}

export interface OutdatedReport {
  readonly outdated: readonly Outdated[]
  /** Installed versions that are deprecated, with nothing to update them to. */
  readonly deprecated: readonly { readonly identifier: string; readonly installed: string }[]
  /** The same for versions that were yanked. */
  readonly yanked: readonly {
    readonly identifier: string
    readonly installed: string
    readonly reason: string
  }[]
  /** Those of which nobody could say whether there is something newer. */
  readonly failed: readonly Failed[]
}

export async function listInstalled(place: Workplace, state: InstalledState): Promise<InstalledPackage[]> {
  const entries = [...state].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Promise.all(
    entries.map(async ([identifier, entry]) =>
      present(identifier, entry, await isThere(pinOf(place.layout, identifier))),
    ),
  )
}

/** What an update would change. One package that nobody can ask for hides none of the others. */
export async function findOutdated(place: Workplace, state: InstalledState): Promise<OutdatedReport> {
  const outdated: Outdated[] = []
  const deprecated: { identifier: string; installed: string }[] = []
  const yanked: { identifier: string; installed: string; reason: string }[] = []
  const failed: Failed[] = []
  for (const { identifier, isPinned, ...installed } of await listInstalled(place, state)) {
    try {
      const offer = await askSource(place, identifier)
      const version = offer && chooseForUpdate(offer.package, asInstalled(installed, offer), place.target)
      if (offer === undefined || isOfOtherOrigin(installed, offer)) continue
      if (version === undefined) {
        const reason = yankOf(installed, offer)
        if (reason !== undefined) yanked.push({ identifier, installed: installed.version, reason })
        else if (isDeprecatedNow(installed, offer))
          deprecated.push({ identifier, installed: installed.version })
        continue
      }
      outdated.push({ identifier, installed: installed.version, available: version.version, isPinned })
    } catch (error) {
      if (!(error instanceof InstallFailure)) throw error
      failed.push({ identifier, failure: error })
    }
  }
  return { outdated, deprecated, yanked, failed }
}

/** As `findOutdated`, with a notice for each failure. When nobody can be asked at all, that is the failure. */
export async function listOutdated(place: Workplace, state: InstalledState): Promise<Outdated[]> {
  const { outdated, failed } = await findOutdated(place, state)
  const [first] = failed
  if (first !== undefined && failed.length === state.size) throw first.failure
  for (const { failure } of failed) place.notify(failure.message)
  return [...outdated]
}

function present(
  identifier: string,
  { current, previous }: InstalledEntry,
  isPinned: boolean,
): InstalledPackage {
  const { name, type, version, version_epoch: epoch, status, repository, origin, installedAt } = current
  return {
    identifier,
    name,
    type,
    version,
    ...(epoch !== undefined && { version_epoch: epoch }),
    status,
    isDeprecated: current.isDeprecated ?? status === 'deprecated',
    isYanked: current.isYanked ?? false,
    repository,
    ...(origin !== undefined && { origin }),
    installedAt,
    isPinned,
    ...(previous && { previousVersion: previous.version }),
  }
}
