import type { Clock } from '../../clock/index.ts'
import type { DirectoryOptions, Holder, Member, NodeId, Whereabouts } from '../ports/bus.ts'
import { unavailable } from '../ports/errors.ts'
import { Handlers } from '../ports/handlers.ts'
import type { LiveClaims } from '../ports/live-claims.ts'
import type { Watcher } from '../ports/watcher.ts'

/** What stands under a directory key: a claim, one that its holder let go of, or the tombstone of one. */
export type Entry =
  | {
      readonly kind: 'claim'
      readonly holder: Holder
      readonly expiresAt: number
      readonly seal: string | undefined
    }
  | { readonly kind: 'suspended'; readonly expiresAt: number; readonly seal: string }
  | { readonly kind: 'tombstone'; readonly endsAt: number }

export function isHeldBy(entry: Entry | undefined, holder: Holder, now: number): boolean {
  const held = holderOf(entry, now)
  return held !== undefined && held.node === holder.node && held.epoch === holder.epoch
}

export function holderOf(entry: Entry | undefined, now: number): Holder | undefined {
  return entry?.kind === 'claim' && entry.expiresAt > now ? entry.holder : undefined
}

export function whereaboutsOf(entry: Entry | undefined, now: number): Whereabouts {
  return entry?.kind === 'suspended' && entry.expiresAt > now ? 'suspended' : holderOf(entry, now)
}

/** When a claim that this seal can resume ends. */
export function resumableUntil(entry: Entry, seal: string, now: number): number | undefined {
  if (entry.kind === 'tombstone' || entry.expiresAt <= now || entry.seal !== seal) return undefined
  return entry.expiresAt
}

/** When the key can be claimed again. */
export function freeAt(entry: Entry): number {
  return entry.kind === 'tombstone' ? entry.endsAt : entry.expiresAt
}

export interface DirectoryState {
  readonly name: string
  readonly options: DirectoryOptions
  readonly entries: ExpiringMap<Entry>
  readonly liveClaims: Map<NodeId, LiveClaims>
}

/** What the nodes of one hub share. */
export interface HubState {
  readonly clock: Clock
  readonly nodes: Map<NodeId, NodeState>
  readonly directories: Map<string, DirectoryState>
  readonly watchers: Map<string, Set<Watcher>>
  readonly rooms: Map<string, Map<string, Member>>
  readonly rates: ExpiringMap<number>
}

export function createHubState(clock: Clock): HubState {
  return {
    clock,
    nodes: new Map(),
    directories: new Map(),
    watchers: new Map(),
    rooms: new Map(),
    rates: new ExpiringMap(),
  }
}

/** One connected node: what must go when the node goes. */
export class NodeState {
  readonly id: NodeId
  readonly handlers = new Handlers()
  readonly deliveries = new Handlers<readonly [epoch: string, message: string]>()
  readonly watchers = new Set<Watcher>()
  readonly memberships = new Map<string, Set<string>>()
  alive = true

  constructor(id: NodeId) {
    this.id = id
  }

  requireAlive(): void {
    if (!this.alive) throw unavailable()
  }
}

/** How many entries one write looks at. More than one, so that the sweep outruns the writes. */
const SWEEP_STEP = 4

/**
 * A map whose entries end. Each write also looks at a few old entries, so memory follows what is alive
 * and no call ever scans the whole map.
 */
export class ExpiringMap<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly endsAt: number }>()
  #cursor = this.#entries.entries()

  get size(): number {
    return this.#entries.size
  }

  get(key: string, now: number): Value | undefined {
    const entry = this.#entries.get(key)
    return entry === undefined || entry.endsAt <= now ? undefined : entry.value
  }

  set(key: string, value: Value, endsAt: number, now: number): void {
    this.#sweep(now)
    this.#entries.set(key, { value, endsAt })
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  #sweep(now: number): void {
    for (let step = 0; step < SWEEP_STEP; step += 1) {
      const next = this.#cursor.next()
      if (next.done === true) {
        this.#cursor = this.#entries.entries()
        return
      }
      const [key, entry] = next.value
      if (entry.endsAt <= now) this.#entries.delete(key)
    }
  }
}
