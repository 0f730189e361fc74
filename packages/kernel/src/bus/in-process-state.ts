import type { Clock } from '../clock/index.ts'
import type { Alarm } from './alarm.ts'
import { Answering } from './answering.ts'
import type { Entry } from './claim.ts'
import type { ClaimLedger } from './claim-ledger.ts'
import { ExpiringMap } from './expiring-map.ts'
import type { DirectoryOptions, Member, NodeId } from './ports.ts'
import { unavailable } from './unavailable.ts'

export interface DirectoryState {
  readonly name: string
  readonly options: DirectoryOptions
  readonly entries: ExpiringMap<Entry>
  readonly ledgers: Map<NodeId, ClaimLedger>
}

/** What the nodes of one hub share. */
export interface HubState {
  readonly clock: Clock
  readonly nodes: Map<NodeId, NodeState>
  readonly directories: Map<string, DirectoryState>
  readonly alarms: Map<string, Set<Alarm>>
  readonly rooms: Map<string, Map<string, Member>>
  readonly rates: ExpiringMap<number>
}

export function createHubState(clock: Clock): HubState {
  return {
    clock,
    nodes: new Map(),
    directories: new Map(),
    alarms: new Map(),
    rooms: new Map(),
    rates: new ExpiringMap(),
  }
}

/** One connected node: what must go when the node goes. */
export class NodeState {
  readonly id: NodeId
  readonly answering = new Answering()
  readonly deliveries = new Answering<readonly [epoch: string, message: string]>()
  readonly alarms = new Set<Alarm>()
  readonly memberships = new Map<string, Set<string>>()
  alive = true

  constructor(id: NodeId) {
    this.id = id
  }

  requireAlive(): void {
    if (!this.alive) throw unavailable()
  }
}
