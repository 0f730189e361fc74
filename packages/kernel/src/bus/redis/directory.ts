import type { Clock } from '../../clock/index.ts'
import type { Directory, DirectoryOptions, NodeId } from '../ports/bus.ts'
import { LiveClaims } from '../ports/live-claims.ts'
import { checkDirectoryOptions, checkEpoch, checkSeal } from '../ports/names.ts'
import type { RedisDelivery } from './delivery.ts'
import type { RedisEngine } from './engine.ts'
import { claimKey } from './keys.ts'
import { formatClaim, readResumed, readWhereabouts, type Taking } from './scripts.ts'

interface RedisDirectory extends Directory {
  /** A claim of this node was taken by a delivery; `key` is the one in Redis. */
  drop(key: string, epoch: string): void
  /** Claims again what this node holds, after Redis may have lost it. Claims keep their end. */
  restore(): Promise<void>
}

interface DirectoryDeps {
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

function redisDirectory(name: string, options: DirectoryOptions, deps: DirectoryDeps): RedisDirectory {
  const { engine, node, clock, delivery } = deps
  const { ttlMs, tombstoneMs } = options
  const live = new LiveClaims()
  const pending = new PendingClaims()
  const time = () => clock.now().getTime()
  const taking = (now: number): Taking => [now, (now + tombstoneMs).toString(36), tombstoneMs]
  const drop = (key: string, epoch: string) => {
    live.remove(key, epoch)
    pending.end(key, epoch)
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
    const claim = live.get(key)
    if (claim === undefined || claim.expiresAt <= now) return
    const text = formatClaim(node, claim.epoch, claim.seal)
    if ((await write(key, text, claim.expiresAt, now)) === undefined) live.remove(key, claim.epoch)
  }

  return {
    async claim(rawKey, epoch, seal) {
      checkEpoch(epoch)
      if (seal !== undefined) checkSeal(seal)
      const key = claimKey(name, rawKey)
      const now = time()
      const claim = pending.begin(key, epoch)
      try {
        const expiresAt = await write(key, formatClaim(node, epoch, seal), now + ttlMs, now)
        if (expiresAt === undefined) return 'taken'
        if (!claim.ended) live.add(key, { epoch, seal, expiresAt }, now)
        return 'claimed'
      } finally {
        pending.finish(claim)
      }
    },
    async resume(rawKey, epoch, seal) {
      checkEpoch(epoch)
      checkSeal(seal)
      const key = claimKey(name, rawKey)
      const now = time()
      const fresh = [(now + ttlMs).toString(36), ttlMs + COLLECTION_GRACE_MS] as const
      const claim = pending.begin(key, epoch)
      try {
        const resumed = readResumed(await engine.run('resume', key, now, node, epoch, seal, ...fresh))
        if (resumed !== undefined && !claim.ended)
          live.add(key, { epoch, seal, expiresAt: resumed.expiresAt }, now)
        return resumed
      } finally {
        pending.finish(claim)
      }
    },
    async find(rawKey) {
      const stored = await engine.ask((client) => client.get(claimKey(name, rawKey)))
      return stored === null ? undefined : readWhereabouts(stored, time())
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
      return (await deps.countElsewhere(name)) + live.count(time())
    },
    ownCount: () => live.count(time()),
    drop,
    async restore() {
      const keys = [...live.keys()]
      for (let start = 0; start < keys.length; start += RESTORE_BATCH) {
        await Promise.all(keys.slice(start, start + RESTORE_BATCH).map(restoreOne))
      }
    },
  }
}

export interface RedisDirectories {
  open(name: string, options: DirectoryOptions): Directory
  /** This node's live claims by directory. */
  counts(): ReadonlyMap<string, number>
  /** A claim of this node was taken by a delivery; `key` is the one in Redis. */
  drop(name: string, key: string, epoch: string): void
  restore(): Promise<void>
}

export function redisDirectories(deps: DirectoryDeps): RedisDirectories {
  const opened = new Map<string, { readonly options: DirectoryOptions; readonly directory: RedisDirectory }>()
  return {
    open(name, options) {
      const known = opened.get(name)
      checkDirectoryOptions(name, options, known?.options)
      if (known !== undefined) return known.directory
      const directory = redisDirectory(name, options, deps)
      opened.set(name, { options, directory })
      return directory
    },
    counts: () => new Map([...opened].map(([name, { directory }]) => [name, directory.ownCount()])),
    drop: (name, key, epoch) => opened.get(name)?.directory.drop(key, epoch),
    async restore() {
      for (const { directory } of opened.values()) await directory.restore()
    },
  }
}

interface PendingClaim {
  readonly key: string
  readonly epoch: string
  /** Whether the claim ended before the answer to it came. */
  ended: boolean
}

/**
 * Claims whose answers are under way. Another node may take such a claim, and this node hear of that, before the
 * answer is here: without this note it would then be counted, though nobody holds it.
 */
class PendingClaims {
  readonly #pending = new Map<string, Set<PendingClaim>>()

  begin(key: string, epoch: string): PendingClaim {
    const claim = { key, epoch, ended: false }
    const others = this.#pending.get(key)
    if (others === undefined) this.#pending.set(key, new Set([claim]))
    else others.add(claim)
    return claim
  }

  end(key: string, epoch: string): void {
    for (const claim of this.#pending.get(key) ?? []) if (claim.epoch === epoch) claim.ended = true
  }

  finish(claim: PendingClaim): void {
    const claims = this.#pending.get(claim.key)
    claims?.delete(claim)
    if (claims?.size === 0) this.#pending.delete(claim.key)
  }
}
