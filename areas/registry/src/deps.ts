import type { IncomingHttpHeaders } from 'node:http'
import type { Provenance } from '@patchbay/contracts/core'
import type { Wakeups } from '@patchbay/kernel/bus'
import type { Clock } from '@patchbay/kernel/clock'
import type { Log, Secret } from '@patchbay/kernel/log'
import type { Metrics } from '@patchbay/kernel/metrics'
import type { ObjectStore } from '@patchbay/kernel/objects'
import type { Outbound } from '@patchbay/kernel/outbound'
import type { Db } from '@patchbay/kernel/postgres'
import type { RegistryTables } from './tables.ts'

/** The part of a request that says who asks. */
export interface Asking {
  readonly headers: IncomingHttpHeaders
}

/** Whom a request speaks for, as far as the registry needs to know. */
export interface Publisher {
  readonly personId: string
  readonly handle: string
  readonly credential: {
    readonly kind: string
    readonly id: string
    /** Of the CI job that has the credential. */
    readonly provenance?: Provenance | null
  }
}

/** Handed in by the composition root: this area knows nothing of sessions and keys. */
export interface RegistryAccess<Who extends Publisher = Publisher> {
  /** `undefined` when the request shows no credential; a bad one is refused. */
  authenticate(request: Asking): Promise<Who | undefined>
  /** Somebody it must be; a browser's request must come from a page of ours. */
  requireChange(request: Asking): Promise<Who>
  /** An administrator of the installation, on a page of ours. */
  requireAdministrator(request: Asking): Promise<Who>
  isAdministrator(who: Who): boolean
  /** Whether they may write anything at all of this owner: asked before it is known what. */
  mayPublish(who: Who, owner: string): Promise<boolean>
  /** `*` asks for everything of the owner. */
  isAllowed(who: Who, owner: string, identifier: string, access: 'read' | 'write'): Promise<boolean>
}

/**
 * `redirect`: the bucket, at a public address below `publicUrl` or at one that is signed for each download. `x-accel`: the
 * nginx in front, which finds the objects below `prefix`.
 */
export type ArchiveDelivery =
  | { readonly kind: 'redirect'; readonly publicUrl?: string }
  | { readonly kind: 'x-accel'; readonly prefix: string }

export interface RegistrySettings {
  readonly publicUrl: string
  /** Shown in design tools as the name of the repository. */
  readonly repositoryName: string
  /** Served beside the neutral one. */
  readonly brands: readonly string[]
  readonly maxArchiveBytes: number
  readonly feedMaxBytes: number
  /** Per client address. */
  readonly publishesPerMinute: number
  readonly importsPerMinute: number
  readonly searchesPerMinute: number
  readonly auditKeptDays: number
  /** Where uploads wait while they are examined. */
  readonly spoolFolder: string
  /** Who sends public archives, if not this process. */
  readonly archiveDelivery?: ArchiveDelivery
  /** Absent: the index is not signed. */
  readonly trust?: { readonly onlineKey: Secret; readonly folder: string }
}

export interface RegistryDeps {
  readonly db: Db<RegistryTables>
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly objects: ObjectStore
  readonly wakeups: Wakeups
  readonly outbound: Outbound
  readonly access: RegistryAccess
  /** 256 random bits, as letters, digits, `-` and `_`. */
  readonly createSecret: () => string
  readonly settings: RegistrySettings
}
