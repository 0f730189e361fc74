import { NEUTRAL_BRAND, writeDialect, YANKED_VERSIONS } from '@patchbay/package-format'
import { archiveUrl } from '../files/addresses.ts'
import { PACKAGE_KEYS, VERSION_KEYS } from '../packages/metadata-keys.ts'

/** A package and its versions as the tables hold them. */
export interface PackageRecord {
  readonly identifier: string
  readonly owner: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly isListed: boolean
  readonly iconSha256: string | null
  /** The latest first. */
  readonly versions: readonly VersionRecord[]
}

export interface VersionRecord {
  readonly version: string
  readonly status: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly archiveSha256: string
  readonly archiveSize: number
  readonly installSize: number
  readonly manifestSha256: string
  readonly isYanked: boolean
  readonly yankReason: string | null
}

/** Real packages begin with it, so that editors find their schema. */
const LISTED_KEYS: readonly string[] = ['$schema', ...PACKAGE_KEYS]

/** In characters. Beyond it a package has no sparse file: one request would keep a node busy. */
export const LARGEST_SPARSE = 8 * 1024 * 1024

/**
 * The entry of a package in lists and in its sparse file. A delisted one is named, so that tools know it is gone, with
 * nothing but what the contract demands: nobody may fill lists with what is in none.
 */
export function spellPackage(record: PackageRecord, brand: string, publicUrl: string): string {
  return spellEntry(entryOf(record, publicUrl), brand)
}

/** The same in several dialects, in their order. */
export function spellForBrands(
  record: PackageRecord,
  brands: readonly string[],
  publicUrl: string,
): string[] {
  const entry = entryOf(record, publicUrl)
  return brands.map((brand) => spellEntry(entry, brand))
}

function entryOf(record: PackageRecord, publicUrl: string): Record<string, unknown> {
  const { identifier, isListed, metadata } = record
  const spell = (versions: readonly VersionRecord[]) =>
    isListed ? versions.map((each) => spellVersion(record, each, publicUrl)) : []
  const versions = spell(record.versions.filter(({ isYanked }) => !isYanked))
  const yanked = spell(record.versions.filter(({ isYanked }) => isYanked))
  // What an archive says under this name is nothing that we vouch for.
  const { [YANKED_VERSIONS]: _unknown, ...shown } = isListed ? metadata : onlyKnown(metadata)
  const entry = { ...inOrder(shown, LISTED_KEYS), identifier, versions }
  return yanked.length === 0 ? entry : { ...entry, [YANKED_VERSIONS]: yanked }
}

function spellEntry(entry: Readonly<Record<string, unknown>>, brand: string): string {
  return JSON.stringify(brand === NEUTRAL_BRAND ? entry : writeDialect(entry, brand))
}

function spellVersion(
  { identifier }: PackageRecord,
  version: VersionRecord,
  publicUrl: string,
): Record<string, unknown> {
  const { archiveSha256 } = version
  return {
    ...inOrder({ ...version.metadata, version: version.version, status: version.status }, VERSION_KEYS),
    download_url: archiveUrl(publicUrl, { identifier, version: version.version, archiveSha256 }),
    download_sha256: archiveSha256,
    download_size: version.archiveSize,
    install_size: version.installSize,
    ...(version.isYanked && version.yankReason ? { yank_reason: version.yankReason } : {}),
  }
}

function onlyKnown(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => LISTED_KEYS.includes(key)))
}

function inOrder(value: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
  const known = keys.filter((key) => Object.hasOwn(value, key))
  const unknown = Object.keys(value)
    .filter((key) => !keys.includes(key))
    .toSorted()
  return Object.fromEntries([...known, ...unknown].map((key) => [key, value[key]]))
}
