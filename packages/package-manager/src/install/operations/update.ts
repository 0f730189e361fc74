import { chooseForUpdate, yankedVersionsOf } from '@patchbay/package-format'
import { isThere } from '../../file-system.ts'
import type { Change, Failed, OperationOptions, Skipped, UpdateReport } from '../change.ts'
import { InstallFailure } from '../install-failure.ts'
import type { PackageOffer } from '../install-source.ts'
import { pinOf } from '../layout.ts'
import { type InstalledState, withEntry, writeState } from '../state/installed-state.ts'
import { loadState } from '../state/load-state.ts'
import type { Workplace } from '../workplace.ts'
import { askSource } from './ask-source.ts'
import { asInstalled, describeYank, isDeprecatedNow, yankOf } from './deprecation.ts'
import { findInstalled } from './find-installed.ts'
import { installVersion } from './install.ts'
import { isOfOtherOrigin } from './other-origin.ts'

export async function updateOne(
  place: Workplace,
  state: InstalledState,
  identifier: string,
  options: OperationOptions,
): Promise<UpdateReport> {
  const { current } = findInstalled(state, identifier)
  if (await isThere(pinOf(place.layout, identifier)))
    throw new InstallFailure('pinned', `${identifier} is pinned to ${current.version}: unpin it first`, {
      identifier,
    })
  const result = await update(place, state, identifier, options)
  return 'reason' in result
    ? { updated: [], skipped: [result], failed: [] }
    : { updated: [result], skipped: [], failed: [] }
}

/** One package that cannot be updated keeps none of the others from it. */
export async function updateAll(
  place: Workplace,
  state: InstalledState,
  options: OperationOptions,
): Promise<UpdateReport> {
  const [updated, skipped, failed]: [Change[], Skipped[], Failed[]] = [[], [], []]
  for (const identifier of [...state.keys()].toSorted()) {
    try {
      const result = await updateUnlessPinned(place, identifier, options)
      if ('reason' in result) skipped.push(result)
      else updated.push(result)
    } catch (error) {
      if (!(error instanceof InstallFailure) || error.code === 'aborted') throw error
      failed.push({ identifier, failure: error })
    }
  }
  return { updated, skipped, failed }
}

async function updateUnlessPinned(
  place: Workplace,
  identifier: string,
  options: OperationOptions,
): Promise<Change | Skipped> {
  // The update before this one has changed the state.
  const state = await loadState(place)
  if (!(await isThere(pinOf(place.layout, identifier)))) return update(place, state, identifier, options)
  const { version } = findInstalled(state, identifier).current
  return { identifier, reason: 'pinned', message: `${identifier} is pinned to ${version}` }
}

async function update(
  place: Workplace,
  state: InstalledState,
  identifier: string,
  options: OperationOptions,
): Promise<Change | Skipped> {
  const { current } = findInstalled(state, identifier)
  const offer = await askSource(place, identifier)
  if (offer === undefined)
    return { identifier, reason: 'not_offered', message: `nobody offers ${identifier} anymore` }
  if (offer.package.versions.length === 0 && yankedVersionsOf(offer.package).length === 0)
    return {
      identifier,
      reason: 'delisted',
      message: `${identifier} was delisted; ${current.version} stays installed`,
    }
  const version = chooseForUpdate(offer.package, asInstalled(current, offer), place.target)
  if (version !== undefined && options.allowOtherOrigin !== true && isOfOtherOrigin(current, offer))
    return {
      identifier,
      reason: 'other_origin',
      message: `${identifier} was installed from ${current.origin}, and ${version.version} is offered by ${offer.origin ?? offer.repository}: allow another origin if you trust it`,
    }
  if (version === undefined) return stay(place, state, identifier, offer)
  return installVersion(place, state, { offer, version, kind: 'updated', options })
}

/** Nothing to update to. What became of the installed version is kept, so that `list` knows without asking. */
async function stay(
  { layout, step }: Workplace,
  state: InstalledState,
  identifier: string,
  offer: PackageOffer,
): Promise<Skipped> {
  const entry = findInstalled(state, identifier)
  const { current } = entry
  const { version } = current
  if (isOfOtherOrigin(current, offer))
    return { identifier, reason: 'up_to_date', message: `${identifier} ${version} is up to date` }
  const isDeprecated = isDeprecatedNow(current, offer)
  const yank = yankOf(current, offer)
  const isYanked = yank !== undefined
  if (
    isDeprecated !== (current.isDeprecated ?? current.status === 'deprecated') ||
    isYanked !== (current.isYanked ?? false)
  )
    await writeState(
      layout,
      withEntry(state, identifier, { ...entry, current: { ...current, isDeprecated, isYanked } }),
      step,
    )
  if (isYanked)
    return {
      identifier,
      reason: 'yanked',
      message: `${describeYank(identifier, version, yank)}; nothing newer is offered for here: look for another package, or choose a version by its name`,
    }
  if (!isDeprecated)
    return { identifier, reason: 'up_to_date', message: `${identifier} ${version} is up to date` }
  return {
    identifier,
    reason: 'deprecated',
    message: `${identifier} ${version} is deprecated, and nothing newer is offered for here: look for another package, or choose a version by its name`,
  }
}
