import { Problem } from '@patchbay/contracts/core'
import type { AuditEntry } from '@patchbay/contracts/registry'
import type { Publisher } from '../deps.ts'

export interface StoredEntry extends Omit<AuditEntry, 'at'> {
  readonly id: number
  readonly at: Date
}

export interface AuditPage {
  readonly entries: readonly StoredEntry[]
  readonly nextBefore: number | undefined
}

/** A key by its id, so that the one that leaked can be found and revoked; of sessions the kind is enough. */
export function credentialName({ kind, id }: Publisher['credential']): string {
  return kind === 'api_key' ? `api_key ${id}` : kind
}

export function presentEntry({ id: _id, at, ...entry }: StoredEntry): AuditEntry {
  return { ...entry, at: at.toISOString() }
}

export function auditCursor(id: number): string {
  return Buffer.from(`a${id}`).toString('base64url')
}

export function readAuditCursor(cursor: string): number {
  const id = /^a([0-9]{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1]
  if (id === undefined)
    throw new Problem('invalid_request', { detail: 'The cursor is not one that a page gave.' })
  return Number(id)
}
