import { hash } from 'node:crypto'
import type { WorkspaceInvitation, WorkspaceRef, WorkspaceRole } from '@patchbay/contracts/panels'

const HOUR_MS = 3_600_000

/** One that lets somebody in. */
export interface OpenInvitation extends WorkspaceRef {
  readonly id: string
  readonly role: WorkspaceRole
  readonly createdBy: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly usesLeft: number
}

/** 256 random bits: guessing is out of reach, so a plain hash keeps them safe at rest. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

export function endOf(now: Date, hours: number): Date {
  return new Date(now.getTime() + hours * HOUR_MS)
}

/** The secret stands behind the `#`, which browsers send to nobody. */
export function joinAddress(publicUrl: string, secret: string): string {
  return `${publicUrl}/join#${secret}`
}

export function presentInvitation(invitation: OpenInvitation): WorkspaceInvitation {
  const { id, role, createdBy, createdAt, expiresAt, usesLeft } = invitation
  return {
    id,
    role,
    createdBy,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    usesLeft,
  }
}
