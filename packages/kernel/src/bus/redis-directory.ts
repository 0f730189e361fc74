import type { Clock } from '../clock/index.ts'
import { checkEpoch, checkSeal } from './claim.ts'
import { ClaimArrivals } from './claim-arrivals.ts'
import { ClaimLedger } from './claim-ledger.ts'
import type { Directory, DirectoryOptions, NodeId } from './ports.ts'
import { formatClaim, readHolder, readResumed, readWhereabouts, type Taking } from './redis-claim.ts'
import type { RedisDelivery } from './redis-delivery.ts'
import type { RedisEngine } from './redis-engine.ts'
import { claimKey } from './redis-keys.ts'

export interface RedisDirectory extends Directory {
  /** A claim of this node was taken by a delivery; `key` is the one in Redis. */
  drop(key: string, epoch: string): void
  /** Claims again what this node holds, after Redis may have lost it. Claims keep their end. */
  restore(): Promise<void>
}

export interface DirectoryDeps {
  readonly engine: RedisEngine
  readonly node: NodeId
  readonly clock: Clock
  readonly delivery: Pick<RedisDelivery, 'deliver' | 'handle'>
  /** Live claims of the other nodes in the directory of this name. */
  countElsewhere(name: string): Promise<number>
}

/** Enough to fill a round trip, few enough not to hold up the calls of people who wait. */
const RESTORE_BATCH = 250
/** Nodes judge by their own clocks whether a claim has ended; the engine only sweeps up, after the slowest of them. */
const COLLECTION_GRACE_MS = 60_000

export function redisDirectory(name: string, options: DirectoryOptions, deps: DirectoryDeps): RedisDirectory {
  const { engine, node, clock, delivery } = deps
  const { ttlMs, tombstoneMs } = options
  const ledger = new ClaimLedger()
  const arrivals = new ClaimArrivals()
  const time = () => clock.now().getTime()
  const taking = (now: number): Taking => [now, (now + tombstoneMs).toString(36), tombstoneMs]
  const drop = (key: string, epoch?: string) => {
    ledger.remove(key, epoch)
    arrivals.end(key, epoch)
  }

  const write = async (
    key: string,
    claim: string,
    expiresAt: number,
    now: number,
  ): Promise<number | undefined> => {
    const collectAfterMs = expiresAt - now + COLLECTION_GRACE_MS
    const kept = await engine.run('claim', key, now, claim, expiresAt.toString(36), collectAfterMs)
    return typeof kept === 'string' ? Number.parseInt(kept, 36) : undefined
  }
  const restoreOne = async (key: string): Promise<void> => {
    const now = time()
    const claim = ledger.get(key)
    if (claim === undefined || claim.expiresAt <= now) return
    const text = formatClaim(node, claim.epoch, claim.seal)
    if ((await write(key, text, claim.expiresAt, now)) === undefined) ledger.remove(key, claim.epoch)
  }

  return {
    async claim(rawKey, epoch, seal) {
      checkEpoch(epoch)
      if (seal !== undefined) checkSeal(seal)
      const key = claimKey(name, rawKey)
      const now = time()
      const arrival = arrivals.begin(key, epoch)
      try {
        const expiresAt = await write(key, formatClaim(node, epoch, seal), now + ttlMs, now)
        if (expiresAt === undefined) return 'taken'
        if (!arrival.ended) ledger.add(key, { epoch, seal, expiresAt }, now)
        return 'claimed'
      } finally {
        arrivals.finish(arrival)
      }
    },
    async resume(rawKey, epoch, seal) {
      checkEpoch(epoch)
      checkSeal(seal)
      const key = claimKey(name, rawKey)
      const now = time()
      const fresh = [(now + ttlMs).toString(36), ttlMs + COLLECTION_GRACE_MS] as const
      const arrival = arrivals.begin(key, epoch)
      try {
        const resumed = readResumed(await engine.run('resume', key, now, node, epoch, seal, ...fresh))
        if (resumed !== undefined && !arrival.ended)
          ledger.add(key, { epoch, seal, expiresAt: resumed.expiresAt }, now)
        return resumed
      } finally {
        arrivals.finish(arrival)
      }
    },
    async find(rawKey) {
      const stored = await engine.ask((client) => client.get(claimKey(name, rawKey)))
      return stored === null ? undefined : readWhereabouts(stored, time())
    },
    async take(rawKey) {
      const key = claimKey(name, rawKey)
      const holder = readHolder(await engine.run('take', key, ...taking(time())))
      if (holder?.node === node) drop(key, holder.epoch)
      return holder
    },
    deliver: (rawKey, message, deadlineMs) =>
      delivery.deliver(name, claimKey(name, rawKey), taking(time()), message, deadlineMs),
    onDelivery: (handler) => delivery.handle(name, handler),
    async release(rawKey, epoch) {
      const key = claimKey(name, rawKey)
      // Dropped before the answer: a release that was lost on the way must not be undone by `restore`.
      drop(key, epoch)
      return (await engine.run('release', key, time(), node, epoch)) === 1
    },
    async suspend(rawKey, epoch) {
      const key = claimKey(name, rawKey)
      drop(key, epoch)
      return (await engine.run('suspend', key, time(), node, epoch)) === 1
    },
    settle(rawKey, epoch) {
      drop(claimKey(name, rawKey), epoch)
    },
    async count() {
      return (await deps.countElsewhere(name)) + ledger.count(time())
    },
    ownCount: () => ledger.count(time()),
    drop,
    async restore() {
      const keys = [...ledger.keys()]
      for (let start = 0; start < keys.length; start += RESTORE_BATCH) {
        await Promise.all(keys.slice(start, start + RESTORE_BATCH).map(restoreOne))
      }
    },
  }
}
