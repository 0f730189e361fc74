import { VERSION_PATTERN } from './patterns.ts'

export interface Versioned {
  readonly version: string
  readonly version_epoch?: number
}

export type VersionKey = readonly [epoch: number, major: number, minor: number, patch: number]

const VERSION = new RegExp(VERSION_PATTERN)

/** What orders versions. `1`, `1.0` and `01.0.0` have the same key, and are still three versions by name. */
export function versionKey({ version, version_epoch = 0 }: Versioned): VersionKey {
  return [version_epoch, ...partsOf(version, 0)]
}

/** Negative when `a` is the earlier one; 0 when neither is. */
export function compareVersions(a: Versioned, b: Versioned): number {
  return compareParts(versionKey(a), versionKey(b))
}

/** The three numbers of a version, with `missing` for those that it leaves out. */
export function partsOf(version: string, missing: number): readonly [number, number, number] {
  if (!VERSION.test(version)) throw new TypeError(`${JSON.stringify(version)} is not a version like 1.2.3`)
  const [major = 0, minor = missing, patch = missing] = version.split('.').map(Number)
  return [major, minor, patch]
}

/** Compares number by number, from the left. */
export function compareParts(a: readonly number[], b: readonly number[]): number {
  for (const [index, part] of a.entries()) {
    const other = b[index] ?? 0
    if (part !== other) return part < other ? -1 : 1
  }
  return 0
}
