import { Problem } from '@patchbay/contracts/core'
import type { ListedObject, ListOptions, ObjectPage } from './ports.ts'

/** What one PUT to S3 takes. Files obey it too, so that an installation can move to S3 later. */
export const MAX_OBJECT_BYTES = 5 * 1024 ** 3
export const MAX_PAGE = 1000

const NAME = /^[0-9a-f]{64}$/

/** The only strings that ever become part of a path or a key. */
export function isObjectName(text: string): boolean {
  return NAME.test(text)
}

/** For what becomes an address, where a wrong name must not be passed over. */
export function requireName(text: string): string {
  if (!isObjectName(text)) throw new TypeError('not the name of an object')
  return text
}

export function byteLimit(maxBytes = MAX_OBJECT_BYTES): number {
  return Math.min(maxBytes, MAX_OBJECT_BYTES)
}

export function checkListOptions({ after, limit }: ListOptions): void {
  if (after !== undefined && !isObjectName(after)) throw invalid('`after` is not the name of an object')
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE)
    throw invalid(`\`limit\` is 1 to ${MAX_PAGE}`)
}

/** `found` holds one object more than the page when there is a next one. */
export function pageOf(found: readonly ListedObject[], limit: number): ObjectPage {
  const objects = found.slice(0, limit)
  const last = objects.at(-1)
  return found.length > limit && last !== undefined ? { objects, next: last.sha256 } : { objects }
}

function invalid(detail: string): Problem {
  return new Problem('invalid_request', { detail })
}
