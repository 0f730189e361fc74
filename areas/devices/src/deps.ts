import type { IncomingHttpHeaders } from 'node:http'
import type { DeviceConnection } from '@patchbay/contracts/devices'
import type { ActingParty, WorkspaceRef } from '@patchbay/contracts/panels'
import type { Bus } from '@patchbay/kernel/bus'
import type { Clock } from '@patchbay/kernel/clock'
import type { Log, Secret } from '@patchbay/kernel/log'
import type { Metrics } from '@patchbay/kernel/metrics'
import type { ObjectStore } from '@patchbay/kernel/objects'
import type { Database, Db } from '@patchbay/kernel/postgres'
import type { Tracing } from '@patchbay/kernel/tracing'
import type { Broker } from './broker.ts'
import type { DevicesTables } from './tables.ts'

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
  lock(tx: Db<DevicesTables>): Promise<(action: string, reason: string | undefined) => Promise<void>>
}

/** `stop` is `command` that nothing holds up: no limit on how often somebody asks. */
export type DeviceAccess = 'read' | 'command' | 'manage' | 'stop'

/** Handed in by the composition root: this area knows nothing of workspaces, sessions and keys. */
export interface Workspaces {
  /** Throws the problem of why not. */
  admit(request: Asking, at: WorkspaceRef, access: DeviceAccess): Promise<Admitted>
  /** A person in their browser who may command devices. */
  admitPerson(request: Asking, at: WorkspaceRef): Promise<Admitted>
  /** Open browsers look again at what was done. */
  notify(at: WorkspaceRef): void
}

/** A page that has a workspace open. */
export interface Page {
  readonly at: WorkspaceRef
  readonly browserId: string
  /** Nothing more fits at the moment: what it is sent now would only wait. */
  readonly isBusy: boolean
  send(channel: string, message: unknown): void
}

export interface DevicesSettings {
  /** Where devices reach the broker; `undefined`: values come over HTTP alone. */
  readonly mqtt: { readonly host: string; readonly port: number; readonly isTls: boolean } | undefined
  /** Part of the addresses at which a broker beside the server asks who may do what. */
  readonly brokerSecret: Secret | undefined
  readonly recording: RecordingSettings
}

/** For how long what devices have sent is kept, and how much of it. */
export interface RecordingSettings {
  readonly secondsDays: number
  readonly minutesWeeks: number
  readonly hoursDays: number
  readonly fileDays: number
  /** Of all recordings of one owner. */
  readonly ownerBytes: number
}

/** Devices that a server for development simulates. */
export interface Simulation {
  readonly devices: readonly {
    readonly name: string
    readonly title: string
    readonly manufacturer: string
    readonly model: string
  }[]
  /** Connects them; those of the same names that it has connected before are no longer. */
  start(
    devices: readonly {
      readonly name: string
      readonly key: string
      readonly connection: DeviceConnection
    }[],
  ): void
}

export interface DevicesDeps {
  readonly db: Db<DevicesTables>
  readonly clock: Clock
  /** 256 random bits, as letters, digits, `-` and `_`. */
  readonly createSecret: () => string
  readonly log: Log
  readonly metrics: Metrics
  readonly bus: Pick<Bus, 'node' | 'presence' | 'rateLimit' | 'wakeups'>
  readonly broker: Broker
  readonly copy: Database<DevicesTables>['copy']
  /** For recordings alone: what another part of the server deletes must not be one of them. */
  readonly recordings: ObjectStore
  readonly workspaces: Workspaces
  readonly settings: DevicesSettings
  /** `undefined`, as in every installation that others use: there is no such route. */
  readonly simulation?: Simulation | undefined
  readonly tracing?: Tracing | undefined
}
