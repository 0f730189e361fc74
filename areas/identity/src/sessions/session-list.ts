import { Problem } from '@patchbay/contracts/core'
import type { ListedSession } from '@patchbay/contracts/identity'
import { deviceOf } from './device.ts'
import type { SessionKind } from './session.ts'

const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** Where a page of the list ended. The time alone would skip sessions that began in the same millisecond. */
export interface SessionPosition {
  readonly createdAt: Date
  readonly id: string
}

export interface SessionEntry extends SessionPosition {
  readonly kind: SessionKind
  readonly label: string | null
  readonly userAgent: string
  readonly network: string
  readonly lastUsedAt: Date
  readonly expiresAt: Date
  readonly isNew: boolean
}

export interface SessionPage {
  readonly sessions: readonly SessionEntry[]
  readonly nextAfter: SessionPosition | undefined
}

export function sessionCursor({ createdAt, id }: SessionPosition): string {
  return Buffer.from(`${createdAt.toISOString()} ${id}`).toString('base64url')
}

export function readSessionCursor(cursor: string): SessionPosition {
  const [, time = '', id = ''] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  const createdAt = new Date(time)
  if (Number.isNaN(createdAt.getTime())) {
    throw new Problem('invalid_request', { detail: 'The cursor is not one that a page gave.' })
  }
  return { createdAt, id }
}

export function presentSession(session: SessionEntry, currentId: string): ListedSession {
  const { id, kind, label, network } = session
  return {
    id,
    kind,
    label,
    device: deviceOf(session.userAgent),
    network,
    created_at: session.createdAt.toISOString(),
    last_used_at: session.lastUsedAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
    is_current: id === currentId,
    is_new: session.isNew,
  }
}
