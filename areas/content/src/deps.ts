import type { IncomingHttpHeaders } from 'node:http'
import type { ActingParty, WorkspaceRef } from '@patchbay/contracts/panels'
import type { Bus } from '@patchbay/kernel/bus'
import type { Clock } from '@patchbay/kernel/clock'
import type { Log } from '@patchbay/kernel/log'
import type { ObjectStore } from '@patchbay/kernel/objects'
import type { Db } from '@patchbay/kernel/postgres'
import type { ContentTables } from './tables.ts'

/** The part of a request that says who asks. */
export interface Asking {
  readonly headers: IncomingHttpHeaders
}

/** Somebody who has shown who they are and may do what they ask. */
export interface Admitted {
  readonly party: ActingParty
  /**
   * In the transaction of a change, before anything else of it: the workspace cannot go meanwhile, and whoever's access
   * was ended since they were admitted is refused. What is called with it then is what the people who watch will read.
   */
  lock(tx: Db<ContentTables>): Promise<(action: string, reason: string | undefined) => Promise<void>>
}

/** Handed in by the composition root: this area knows nothing of workspaces, sessions and keys. */
export interface Workspaces {
  /** Throws the problem of why not. */
  admit(request: Asking, at: WorkspaceRef, access: 'read' | 'write'): Promise<Admitted>
  /**
   * In the transaction of what the server does by itself: the workspace cannot go meanwhile. `undefined`: it is gone. What
   * is called with it then is what the people who watch will read.
   */
  lock(
    tx: Db<ContentTables>,
    at: WorkspaceRef,
  ): Promise<((by: ActingParty, action: string) => Promise<void>) | undefined>
  /** Open browsers look again. */
  notify(at: WorkspaceRef): void
}

/** A page that has a workspace open. */
export interface Page {
  readonly at: WorkspaceRef
  readonly browserId: string
  readonly party: ActingParty
  /** Whether its person may change the workspace, at this moment. */
  readonly mayChange: boolean
  send(channel: string, message: unknown): void
}

export interface ContentSettings {
  /** Of all that an owner's workspaces keep, history included. */
  readonly ownerBytes: number
}

export interface ContentDeps {
  readonly db: Db<ContentTables>
  readonly clock: Clock
  /** 256 random bits, as letters, digits, `-` and `_`. */
  readonly createSecret: () => string
  readonly log: Log
  readonly bus: Pick<Bus, 'wakeups' | 'presence'>
  /** For files alone: what another part of the server deletes must not be a file of somebody. */
  readonly objects: ObjectStore
  readonly workspaces: Workspaces
  readonly settings: ContentSettings
}
