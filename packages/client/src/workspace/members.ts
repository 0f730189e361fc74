import type {
  WorkspaceInvitation,
  WorkspaceMember,
  WorkspaceRef,
  WorkspaceRole,
} from '@patchbay/contracts/panels'
import type { Connection } from './connection.ts'
import {
  CREATE_INVITATION,
  LIST_INVITATIONS,
  LIST_MEMBERS,
  REMOVE_MEMBER,
  REVOKE_INVITATION,
  SET_MEMBER,
} from './routes.ts'

/** Who was let into a workspace. To change it needs the session of a login; a key may look. */
export interface WorkspaceMembers {
  /** By handle; the owner is not among them. */
  list(): Promise<WorkspaceMember[]>
  /** Lets somebody in, or changes what they may do. */
  set(handle: string, role: WorkspaceRole): Promise<void>
  /** At once and everywhere. With the own handle one leaves. */
  remove(handle: string): Promise<void>
}

export interface NewInvitation {
  readonly role: WorkspaceRole
  /** 168, a week, unless given. */
  readonly expiresInHours?: number | undefined
  /** How many people it lets in; one unless given. */
  readonly uses?: number | undefined
}

/** Links that let people in; for the owner, and not with a key. */
export interface WorkspaceInvitations {
  /** The newest first, without their secrets. */
  list(): Promise<WorkspaceInvitation[]>
  /** `url` is answered here and never again. */
  create(wanted: NewInvitation): Promise<{ readonly url: string; readonly invitation: WorkspaceInvitation }>
  /** Who has joined with it stays. */
  revoke(id: string): Promise<void>
}

export function openMembers(connection: Connection, params: WorkspaceRef): WorkspaceMembers {
  return {
    async list() {
      return (await connection.ask(LIST_MEMBERS, { params }, { isRepeatable: true })).body.items
    },
    async set(handle, role) {
      await connection.ask(
        SET_MEMBER,
        { params: { ...params, handle }, body: { role } },
        { isRepeatable: true },
      )
    },
    async remove(handle) {
      await connection.ask(REMOVE_MEMBER, { params: { ...params, handle } })
    },
  }
}

export function openInvitations(connection: Connection, params: WorkspaceRef): WorkspaceInvitations {
  return {
    async list() {
      return (await connection.ask(LIST_INVITATIONS, { params }, { isRepeatable: true })).body.items
    },
    async create({ role, expiresInHours, uses }) {
      const body = {
        role,
        ...(expiresInHours === undefined ? {} : { expiresInHours }),
        ...(uses === undefined ? {} : { uses }),
      }
      return (await connection.ask(CREATE_INVITATION, { params, body })).body
    },
    async revoke(id) {
      await connection.ask(REVOKE_INVITATION, { params: { ...params, id } })
    },
  }
}
