import type { Package, PackageVersion } from './package.ts'
import { SHA256_PATTERN, TOOL_VERSION_PATTERN, VERSION_PATTERN } from './patterns.ts'
import { PLATFORMS, RUNTIMES, VERSION_STATUSES } from './vocabulary.ts'

export interface YankedVersion extends PackageVersion {
  readonly yank_reason?: string
}

/** Beside `versions`, under a key that the contract does not know: no other tool offers what stands there. */
export const YANKED_VERSIONS = 'yanked_versions'

const texts = (pattern: string) => {
  const shape = new RegExp(pattern)
  return (value: unknown) => typeof value === 'string' && shape.test(value)
}
const among = (words: readonly unknown[]) => (value: unknown) => words.includes(value)
const all = (isOne: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(isOne)
const isText = (value: unknown) => typeof value === 'string'
const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0

const REQUIRED = {
  version: texts(VERSION_PATTERN),
  status: among(VERSION_STATUSES),
  tool_version: texts(TOOL_VERSION_PATTERN),
}
const OPTIONAL = {
  version_epoch: isCount,
  tool_version_max: texts(TOOL_VERSION_PATTERN),
  download_url: isText,
  download_sha256: texts(SHA256_PATTERN),
  download_size: isCount,
  install_size: isCount,
  platforms: all(among(PLATFORMS)),
  runtime: among(RUNTIMES),
  keep_on_update: all(isText),
  yank_reason: isText,
}

/**
 * For whoever names or has pinned one of them, and for nobody else. The schema of the contract does not cover them, so
 * what is not a version is left out here.
 */
export function yankedVersionsOf(pkg: Package): readonly YankedVersion[] {
  const versions = pkg[YANKED_VERSIONS]
  return Array.isArray(versions) ? versions.filter(isYankedVersion) : []
}

function isYankedVersion(value: unknown): value is YankedVersion {
  if (typeof value !== 'object' || value === null) return false
  const fields = value as Readonly<Record<string, unknown>>
  return (
    Object.entries(REQUIRED).every(([key, isRight]) => isRight(fields[key])) &&
    Object.entries(OPTIONAL).every(([key, isRight]) => fields[key] === undefined || isRight(fields[key]))
  )
}
