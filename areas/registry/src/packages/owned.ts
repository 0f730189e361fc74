import { Problem } from '@patchbay/contracts/core'
import type { Visibility } from '@patchbay/contracts/registry'
import { IDENTIFIER_PATTERN } from '@patchbay/package-format'

export interface OwnedPackage {
  readonly identifier: string
  readonly name: string
  readonly visibility: Visibility
  readonly is_listed: boolean
  readonly latest_version: string | null
  readonly versions: number
  readonly updated_at: Date
}

const IDENTIFIER = new RegExp(IDENTIFIER_PATTERN)

export function presentOwned(owned: OwnedPackage) {
  return { ...owned, updated_at: owned.updated_at.toISOString() }
}

export function ownedCursor(identifier: string): string {
  return Buffer.from(identifier).toString('base64url')
}

export function readOwnedCursor(cursor: string): string {
  const identifier = Buffer.from(cursor, 'base64url').toString()
  if (!IDENTIFIER.test(identifier))
    throw new Problem('invalid_request', { detail: 'The cursor is not one that a page gave.' })
  return identifier
}
