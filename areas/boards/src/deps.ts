import type { IncomingHttpHeaders } from 'node:http'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import type { Clock } from '@patchbay/kernel/clock'
import type { Log } from '@patchbay/kernel/log'
import type { Metrics } from '@patchbay/kernel/metrics'
import type { ObjectStore } from '@patchbay/kernel/objects'
import type { Db } from '@patchbay/kernel/postgres'
import type { Tracing } from '@patchbay/kernel/tracing'
import type { InputFile } from './job.ts'
import type { BoardsTables } from './tables.ts'

/** The part of a request that says who asks. */
export interface Asking {
  readonly headers: IncomingHttpHeaders
}

export interface Admitted {
  /** The handle of a person. */
  readonly by: string
}

/** Handed in by the composition root: this area knows nothing of workspaces and their files. */
export interface WorkspaceFiles {
  /** Of whoever may read the files of a workspace; to ask for a job, from a page of ours. Throws the problem of why not. */
  admit(request: Asking, at: WorkspaceRef, access: 'read' | 'ask'): Promise<Admitted>
  /** Those whose path the pattern knows, as they are or as they were after a change, with the revision of the whole. */
  list(
    at: WorkspaceRef,
    pattern: RegExp,
    revision: number | undefined,
  ): Promise<{ readonly revision: number; readonly files: readonly InputFile[] }>
}

/** Somebody who may change what a workspace consists of. */
export interface AdmittedChange {
  /** The handle of a person. */
  readonly by: string
  /** In the transaction of the change, before anything else of it. What is called with it then is what people will read. */
  lock(tx: Db<BoardsTables>): Promise<(action: string, reason: string | undefined) => Promise<void>>
}

/** A version of a package that somebody may read. */
export interface FoundPackage {
  readonly name: string
  readonly type: string
  readonly version: string
  readonly sha256: string
  readonly size: number
  /** The bytes of its archive. */
  open(): Promise<AsyncIterable<Uint8Array>>
}

export interface Libraries {
  /** Of whoever may write the files of a workspace. Throws the problem of why not. */
  admit(request: Asking, at: WorkspaceRef): Promise<AdmittedChange>
  /** Of the registry, for whoever asks; the latest version unless one is named. Throws the problem of why not. */
  find(request: Asking, identifier: string, version: string | undefined): Promise<FoundPackage>
  /** For archives and their symbols alone. */
  readonly objects: ObjectStore
  /** Where archives are unpacked. */
  readonly folder: string
}

export interface BoardsDeps {
  readonly db: Db<BoardsTables>
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** For results alone: what another part of the server deletes must not be one of them. */
  readonly results: ObjectStore
  readonly files: WorkspaceFiles
  readonly libraries: Libraries
  readonly tracing?: Tracing | undefined
}
