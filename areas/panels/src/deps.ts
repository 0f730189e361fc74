import type { IncomingHttpHeaders } from 'node:http'
import type { DEVICE_SCOPE_AREAS, FILE_SCOPE_AREAS, PANEL_SCOPE_AREAS } from '@patchbay/contracts/identity'
import type { ActingParty, WorkspaceRef, WorkspaceRole } from '@patchbay/contracts/panels'
import type { Bus } from '@patchbay/kernel/bus'
import type { Clock } from '@patchbay/kernel/clock'
import type { Log } from '@patchbay/kernel/log'
import type { Metrics } from '@patchbay/kernel/metrics'
import type { ObjectStore } from '@patchbay/kernel/objects'
import type { Outbound } from '@patchbay/kernel/outbound'
import type { Db } from '@patchbay/kernel/postgres'
import type { PanelsTables } from './tables.ts'

/** The part of a request that says who asks. */
export interface Asking {
  readonly headers: IncomingHttpHeaders
}

/** Whom a request speaks for, as far as panels need to know. */
export interface Caller {
  readonly personId: string
  readonly handle: string
  /** As they call themselves. */
  readonly displayName?: string
  readonly credential: {
    readonly kind: 'browser' | 'application' | 'api_key'
    readonly id: string
    readonly label: string | null
  }
  /** They may because they were let in, as this at least: asked again under the lock when they change something. */
  readonly invitedAs?: WorkspaceRole
}

export type PanelArea = (
  | typeof PANEL_SCOPE_AREAS
  | typeof FILE_SCOPE_AREAS
  | typeof DEVICE_SCOPE_AREAS
)[number]

/** Handed in by the composition root: this area knows nothing of sessions and keys. */
export interface PanelsAccess<Who extends Caller = Caller> {
  /** `undefined` when the request shows no credential; a bad one is refused. */
  authenticate(request: Asking): Promise<Who | undefined>
  /** Somebody it must be. */
  requirePrincipal(request: Asking): Promise<Who>
  /** The same for a change: a browser's request must come from a page of ours. */
  requireChange(request: Asking): Promise<Who>
  /** A person in their browser. */
  requirePerson(request: Asking): Promise<Who>
  requirePersonsChange(request: Asking): Promise<Who>
  /** Whether there is any workspace of the owner that they may see because of what they are to the owner. */
  mayReadAny(who: Who, owner: string): Promise<boolean>
  /** Whom a browser's session speaks for, while it is open and its person may act. */
  findSession(sessionId: string): Promise<Who | undefined>
  /** Of these credentials, those that have not been removed. */
  findCredentials(ids: readonly string[]): Promise<ReadonlySet<string>>
  /** A person with an account that works. */
  findPerson(handle: string): Promise<{ readonly personId: string } | undefined>
  /** Whether the credential is for this at all: a session is for everything, a key for its scopes. */
  isInScope(who: Who, area: PanelArea, owner: string, repo: string): boolean
  /** By scope, and by what the person is to the owner. `*` asks for everything of the owner. */
  isAllowed(
    who: Who,
    area: PanelArea,
    owner: string,
    repo: string,
    access: 'read' | 'write',
  ): Promise<boolean>
}

export interface PanelsSettings {
  readonly publicUrl: string
  /** The origin that serves pages of the web; absent where no proxy is to run. */
  readonly proxyUrl: string | undefined
  /** Of one credential on one workspace. */
  readonly actionsPerMinute: number
  /** The same, for its files: a working copy asks for thousands. */
  readonly fileRequestsPerMinute: number
  /** For how long it is known who acted on a workspace, and what they did. */
  readonly actionsKeptDays: number
}

/**
 * Handed in by the composition root: this area knows nothing of files. Stores what new files hold; what it answers makes them
 * in the transaction that makes their workspace, which must be there by then.
 */
export type PrepareFiles = (
  files: Readonly<Record<string, string>>,
) => Promise<(tx: Db<PanelsTables>, at: WorkspaceRef, by: ActingParty) => Promise<void>>

export interface PanelsDeps {
  readonly db: Db<PanelsTables>
  readonly clock: Clock
  /** 256 random bits, as letters, digits, `-` and `_`. */
  readonly createSecret: () => string
  readonly log: Log
  readonly metrics: Metrics
  readonly objects: ObjectStore
  readonly bus: Bus
  readonly outbound: Outbound
  readonly access: PanelsAccess
  readonly prepareFiles: PrepareFiles
  readonly settings: PanelsSettings
}
