import { PACKAGE_TYPES, VERSION_STATUSES } from '@patchbay/package-format'
import type { Generation, InstalledEntry } from '../installed-package.ts'
import { KNOWN_FOLDERS } from '../known-folders.ts'

type Fields = Readonly<Record<string, unknown>>

/** `undefined` for anything that this program would not have written: it becomes paths and renames. */
export function parseGeneration(value: unknown): Generation | undefined {
  return isGeneration(value) ? value : undefined
}

/** As `parseGeneration`, of an entry of the state. */
export function parseEntry(value: unknown): InstalledEntry | undefined {
  if (!isRecord(value)) return undefined
  const { current, previous } = value
  if (!isGeneration(current)) return undefined
  if (previous === undefined) return { current }
  return isGeneration(previous) ? { current, previous } : undefined
}

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `undefined` for what is no JSON object. */
export function parseRecord(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function isFolderList(value: unknown): value is string[] {
  return isTextList(value) && value.every((each) => KNOWN_FOLDERS.some((known) => known === each))
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

/** The format sets no upper bound: beyond what counts exactly, one is still higher than another. */
function isEpoch(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0
}

function isGeneration(value: unknown): value is Generation {
  if (!isRecord(value)) return false
  const { number, type, status, version_epoch: epoch, isDeprecated, isYanked, origin } = value
  const { keep_on_update: keep, folders } = value
  const texts = ['name', 'version', 'repository', 'sha256', 'installedAt']
  return (
    isCount(number) &&
    texts.every((key) => typeof value[key] === 'string') &&
    PACKAGE_TYPES.some((each) => each === type) &&
    VERSION_STATUSES.some((each) => each === status) &&
    (epoch === undefined || isEpoch(epoch)) &&
    (isDeprecated === undefined || typeof isDeprecated === 'boolean') &&
    (isYanked === undefined || typeof isYanked === 'boolean') &&
    (origin === undefined || typeof origin === 'string') &&
    isTextList(keep) &&
    isFolderList(folders)
  )
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}
