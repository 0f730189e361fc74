/**
 * What areas need across nodes. Each port has an in-process implementation (one node, no Redis) and a Redis one;
 * one contract suite runs on both. When the engine cannot be reached, every call rejects with
 * `Problem('bus_unavailable')` within its deadline and works again, without a restart, once the engine is back.
 */

/** Names one run of one process: a restarted process is another node, so nothing is delivered to a ghost. */
export type NodeId = string

/** Who holds a key. The epoch names one holding of it: the same connection that registers twice has two epochs. */
export interface Holder {
  readonly node: NodeId
  readonly epoch: string
}

export interface DirectoryOptions {
  /** How long a claim can be taken. */
  readonly ttlMs: number
  /** How long a key stays unclaimable after it was taken. */
  readonly tombstoneMs: number
}

/** Where a key stands. `suspended`: its holder let go of it, and whoever has the seal can hold it again. */
export type Whereabouts = Holder | 'suspended' | undefined

export interface Resumed {
  /** When the claim ends: as it would have without the interruption. */
  readonly expiresAt: number
  /** Who held it until now, if somebody did: that node must be told to forget it. */
  readonly previous: Holder | undefined
}

/** `absent`: not held, expired or taken before. `suspended`: nothing was taken; the holder may come back. */
export type DeliverOutcome = SendOutcome | { readonly outcome: 'absent' } | { readonly outcome: 'suspended' }

/** Called on the node that held the key, which is taken by then. Its reply is what `deliver` is answered with. */
export type DeliveryHandler = (epoch: string, message: string) => Promise<string> | string

/** First writer wins: a key has at most one holder. Once it was taken, it is not reusable for a while. */
export interface Directory {
  /**
   * Claims `key` for this node. Repeating a claim with its own epoch and seal is harmless and does not
   * prolong it.
   * A claim that was rejected may have happened all the same: retry it with the same epoch.
   * A `seal` lets whoever knows it resume the claim, from any node. It is stored as given: pass a digest.
   */
  claim(key: string, epoch: string, seal?: string): Promise<'claimed' | 'taken'>
  /**
   * Takes over a key that is held or suspended under this seal, and claims a free one. The claim ends when it would
   * have. `undefined`: held without this seal, taken, or released before its end.
   */
  resume(key: string, epoch: string, seal: string): Promise<Resumed | undefined>
  /** Looks and changes nothing. */
  find(key: string): Promise<Whereabouts>
  /**
   * Takes the key, once, wherever it is held, and hands the message to the node that held it: one round trip where the
   * engine allows. A tombstone is left.
   */
  deliver(key: string, message: string, deadlineMs: number): Promise<DeliverOutcome>
  /** One handler per directory and node. */
  onDelivery(handler: DeliveryHandler): void
  /**
   * Gives the key up; only the epoch that claimed it can. It is free from then on, or, if it has a seal, once the claim
   * would have ended.
   */
  release(key: string, epoch: string): Promise<boolean>
  /** As `release`, but a claim with a seal can be resumed until it would have expired. */
  suspend(key: string, epoch: string): Promise<boolean>
  /**
   * Tells this node's count that another node has resumed a key that this one held under `epoch`; this node may have
   * resumed it again in the meantime. Never touches the engine.
   */
  settle(key: string, epoch: string): void
  /** Live claims over all live nodes; other nodes' shares may be one heartbeat old. */
  count(): Promise<number>
  /** Live claims of this node. Never touches the engine. */
  ownCount(): number
}

/**
 * What became of a message. `gone`: the node has no lease; a killed node is known within 2 s. `timeout`: it has one, but
 * did not answer in time.
 */
export type SendOutcome =
  | { readonly outcome: 'answered'; readonly reply: string }
  | { readonly outcome: 'gone' }
  | { readonly outcome: 'timeout' }

export type MessageHandler = (message: string) => Promise<string> | string

/** Messages to one named node, answered by that node: a number of receivers is no proof that somebody acted. */
export interface NodeChannel {
  readonly node: NodeId
  send(to: NodeId, topic: string, message: string, deadlineMs: number): Promise<SendOutcome>
  /** One handler per topic. A handler that throws, or is missing, answers nothing: the sender sees `timeout`. */
  handle(topic: string, handler: MessageHandler): void
}

export interface Waiter extends AsyncDisposable {
  /**
   * Resolves `true` on the first wake-up since the last call (or since `listen`), `false` at the deadline,
   * when the signal aborts, and when the waiter is disposed or its bus closed.
   * Wake-ups between two calls are remembered as one.
   */
  next(deadlineMs: number, signal?: AbortSignal): Promise<boolean>
}

/**
 * "Something about this key changed, look again." Carries no data. Callers listen first, then read the state,
 * then wait: that order cannot miss a change, and a wake-up lost with the engine only costs the deadline.
 */
export interface Wakeups {
  listen(key: string): Promise<Waiter>
  /** As `listen`, for whoever keeps very many: calls back on every wake-up until it is disposed. */
  watch(key: string, onWake: () => void): Promise<AsyncDisposable>
  notify(key: string): Promise<void>
}

export interface Member {
  readonly id: string
  readonly node: NodeId
  readonly info: string
}

/**
 * Who is in a room, over all nodes. A member goes with `leave` or with its node's lease; no member sends heartbeats.
 * The same id on two nodes is two members. A `join` that was rejected leaves no member behind; a `leave` that was
 * rejected takes effect once the engine is back.
 */
export interface Presence {
  join(room: string, id: string, info: string): Promise<void>
  leave(room: string, id: string): Promise<void>
  /** Ordered by id, then node. */
  members(room: string): Promise<readonly Member[]>
}

/** A room reads the same on every node and in every implementation. */
export function compareMembers(a: Member, b: Member): number {
  return compare(a.id, b.id) || compare(a.node, b.node)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

export interface RateLimitRule {
  /** How many may pass in a burst, and per window on the long run. */
  readonly max: number
  readonly windowMs: number
}

export interface RateLimitVerdict {
  readonly allowed: boolean
  readonly remaining: number
  /** 0 when allowed. */
  readonly retryAfterMs: number
}

export interface RateLimit {
  hit(key: string, rule: RateLimitRule): Promise<RateLimitVerdict>
}

export interface Bus extends AsyncDisposable {
  readonly node: NodeId
  readonly channel: NodeChannel
  readonly wakeups: Wakeups
  readonly presence: Presence
  readonly rateLimit: RateLimit
  /** One directory per name; the same name must always be opened with the same options. */
  directory(name: string, options: DirectoryOptions): Directory
  /** Resolves when the engine answers, rejects with `Problem('bus_unavailable')` otherwise. For `/ready`. */
  ping(): Promise<void>
  /** Gives up the lease at once, so that other nodes know before the process is gone. */
  close(): Promise<void>
}
