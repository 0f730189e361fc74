import type { Validators } from './validators.ts'

/** What is cached of one file. */
export interface CachedFile {
  readonly url: string
  readonly sha256: string
  readonly validators: Validators
}

/** One whole state of a repository: a list together with the index that named it. */
export interface CacheState {
  /** Counted up by one at every refresh. */
  readonly sequence: number
  /** A later state has a higher one, or the same. */
  readonly order: number
  readonly fetchedAt: number
  /** Of a signed state: from then on it must not be used. */
  readonly expiresAt?: number
  readonly repository: CachedFile
  readonly packages: CachedFile
}

const DIGITS = 16

/**
 * States are files that are only ever added, and the highest name counts. So of two processes that refresh at once the
 * one with the older list cannot overwrite the newer, and neither has to wait for the other.
 */
export function stateName({ order, sequence }: CacheState, id: string): string {
  return `${padded(order)}-${padded(sequence)}-${id}.json`
}

export function isStateName(name: string): boolean {
  return /^\d{16}-\d{16}-[0-9a-f-]{36}\.json$/.test(name)
}

/** `undefined` for what no version of this program wrote: a broken cache is no cache. */
export function parseState(text: string): CacheState | undefined {
  const value = parseObject(text)
  const { sequence, order, fetchedAt, expiresAt } = value
  const repository = parseFile(value['repository'])
  const packages = parseFile(value['packages'])
  if (!isCount(sequence) || !isCount(order) || !isCount(fetchedAt)) return undefined
  if (repository === undefined || packages === undefined) return undefined
  return {
    sequence,
    order,
    fetchedAt,
    ...(isCount(expiresAt) ? { expiresAt } : {}),
    repository,
    packages,
  }
}

export function parseFile(value: unknown): CachedFile | undefined {
  if (!isObject(value) || typeof value['url'] !== 'string' || typeof value['sha256'] !== 'string')
    return undefined
  if (!/^[0-9a-f]{64}$/.test(value['sha256'])) return undefined
  const validators = isObject(value['validators']) ? value['validators'] : {}
  const { etag, lastModified } = validators
  return {
    url: value['url'],
    sha256: value['sha256'],
    validators: {
      ...(typeof etag === 'string' ? { etag } : {}),
      ...(typeof lastModified === 'string' ? { lastModified } : {}),
    },
  }
}

export function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

function padded(count: number): string {
  return String(count).padStart(DIGITS, '0')
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
