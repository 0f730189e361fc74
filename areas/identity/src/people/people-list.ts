import { HANDLE_PATTERN, Problem } from '@patchbay/contracts/core'
import type { ListedPerson } from '@patchbay/contracts/identity'
import { HANDLE_LENGTH } from '@patchbay/contracts/limits'

const HANDLE = new RegExp(HANDLE_PATTERN)

/** An account as administrators see it. */
export interface PersonEntry {
  readonly handle: string
  readonly displayName: string
  readonly isAdmin: boolean
  readonly disabledAt: Date | null
  readonly createdAt: Date
}

export interface PeoplePage {
  readonly people: readonly PersonEntry[]
  /** The handle after which the next page begins. */
  readonly nextAfter: string | undefined
}

export function peopleCursor(handle: string): string {
  return Buffer.from(handle).toString('base64url')
}

export function readPeopleCursor(cursor: string): string {
  const handle = Buffer.from(cursor, 'base64url').toString()
  if (handle.length > HANDLE_LENGTH || !HANDLE.test(handle)) {
    throw new Problem('invalid_request', { detail: 'The cursor is not one that a page gave.' })
  }
  return handle
}

export function presentListedPerson(person: PersonEntry): ListedPerson {
  return {
    handle: person.handle,
    display_name: person.displayName,
    is_admin: person.isAdmin,
    is_disabled: person.disabledAt !== null,
    created_at: person.createdAt.toISOString(),
  }
}
