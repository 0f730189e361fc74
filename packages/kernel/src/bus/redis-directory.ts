import type { Clock } from '../clock/index.ts'
import { checkEpoch } from './claim.ts'
import { ClaimLedger } from './claim-ledger.ts'
import type { Directory, DirectoryOptions, NodeId } from './ports.ts'
import type { RedisEngine } from './redis-engine.ts'
import { claimKey } from './redis-keys.ts'

export interface RedisDirectory extends Directory {
  /** This node's live claims, for the census. */
  ownCount(): number
  /** Claims again what this node holds, after Redis may have lost it. Claims keep their end. */
  restore(): Promise<void>
}

export interface DirectoryDeps {
  readonly engine: RedisEngine
  readonly node: NodeId
  readonly clock: Clock
  /** Live claims of the other nodes in the directory of this name. */
  countElsewhere(name: string): Promise<number>
}

/** Enough to fill a round trip, few enough not to hold up the calls of people who wait. */
const RESTORE_BATCH = 250

export function redisDirectory(name: string, options: DirectoryOptions, deps: DirectoryDeps): RedisDirectory {
  const { engine, node, clock } = deps
  const { ttlMs, tombstoneMs } = options
  const ledger = new ClaimLedger()
  const time = () => clock.now().getTime()
  const tombstone = (now: number) => [(now + tombstoneMs).toString(36), tombstoneMs] as const

  const write = async (
    key: string,
    epoch: string,
    expiresAt: number,
    now: number,
  ): Promise<number | undefined> => {
    const collectAfterMs = expiresAt - now + tombstoneMs
    const end = expiresAt.toString(36)
    const kept = await engine.run('claim', key, now, tombstoneMs, node, epoch, end, collectAfterMs)
    return typeof kept === 'string' ? Number.parseInt(kept, 36) : undefined
  }
  const restoreOne = async (key: string): Promise<void> => {
    const now = time()
    const claim = ledger.get(key)
    if (claim === undefined || claim.expiresAt <= now) return
    if ((await write(key, claim.epoch, claim.expiresAt, now)) === undefined) ledger.remove(key, claim.epoch)
  }

  return {
    async claim(rawKey, epoch) {
      checkEpoch(epoch)
      const key = claimKey(name, rawKey)
      const now = time()
      // Entered before the answer: another node may take the key, and this one settle it, while the answer is under way.
      const entered = ledger.get(key) === undefined
      if (entered) ledger.add(key, epoch, now + ttlMs, now)
      try {
        const expiresAt = await write(key, epoch, now + ttlMs, now)
        if (expiresAt === undefined) {
          if (entered) ledger.remove(key, epoch)
          return 'taken'
        }
        if (!entered) ledger.add(key, epoch, expiresAt, now)
        return 'claimed'
      } catch (error) {
        if (entered) ledger.remove(key, epoch)
        throw error
      }
    },
    async take(rawKey) {
      const key = claimKey(name, rawKey)
      const now = time()
      const taken = await engine.run('take', key, now, ...tombstone(now))
      if (typeof taken !== 'string') return undefined
      const space = taken.indexOf(' ')
      const holder = { node: taken.slice(0, space), epoch: taken.slice(space + 1) }
      if (holder.node === node) ledger.remove(key)
      return holder
    },
    async release(rawKey, epoch) {
      const key = claimKey(name, rawKey)
      const now = time()
      // Removed before the answer: a release that was lost on the way must not be undone by `restore`.
      ledger.remove(key, epoch)
      return (await engine.run('release', key, now, ...tombstone(now), node, epoch)) === 1
    },
    settle(rawKey) {
      ledger.remove(claimKey(name, rawKey))
    },
    async count() {
      return (await deps.countElsewhere(name)) + ledger.count(time())
    },
    ownCount: () => ledger.count(time()),
    async restore() {
      const keys = [...ledger.keys()]
      for (let start = 0; start < keys.length; start += RESTORE_BATCH) {
        await Promise.all(keys.slice(start, start + RESTORE_BATCH).map(restoreOne))
      }
    },
  }
}
