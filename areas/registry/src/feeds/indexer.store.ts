import { setTimeout as sleep } from 'node:timers/promises'
import { Signal } from '@patchbay/primitives/async'
import type { RegistryDeps } from '../deps.ts'
import { fingerprintOf, servedBrands } from '../index-settings.ts'
import { INDEX_CHANGED, type Indexer } from '../indexer.ts'
import { feedsOf } from '../packages/feed-changes.store.ts'
import { recoverFacts } from '../publish/recover-facts.store.ts'
import { openTrustFolder } from '../trust/trust-folder-read.io.ts'
import { createBuilder } from './builder.store.ts'
import { keepHouse } from './housekeeping.store.ts'
import { createIndexSettings } from './index-settings.store.ts'
import { createSigner } from './signer.store.ts'
import { refreshTrust, signRest } from './signing-round.store.ts'
import {
  areBuilt,
  findWaitingFeeds,
  hasMarks,
  MOST_WAITING,
  openInstallationFeed,
} from './waiting-feeds.store.ts'

export type IndexerDeps = Pick<RegistryDeps, 'db' | 'objects' | 'clock' | 'log' | 'wakeups' | 'settings'>

const SWEEP_MS = 2_000
const LOOK_AGAIN_MS = 50
/** Builds of this node are announced; for those of others. */
const LOOK_ANYWAY_MS = 250
const HOUSEKEEPING_MS = 60_000

export function createIndexer(deps: IndexerDeps): Indexer {
  const { db, clock, log, settings } = deps
  const { trust, publicUrl } = settings
  const stopper = new AbortController()
  const stopping = stopper.signal
  const shape = { brands: servedBrands(settings), fingerprint: fingerprintOf(settings) }
  const signer = trust && createSigner({ onlineKey: trust.onlineKey, publicUrl, ...shape })
  const changes = new Signal()
  const tell = () => {
    changes.notify()
    return deps.wakeups.notify(INDEX_CHANGED).catch((error: unknown) => {
      log.warn({ err: error }, 'failed to announce the new index, other nodes notice within 1 s')
    })
  }
  const signing = trust &&
    signer && { ...deps, ...shape, signer, folder: openTrustFolder(trust.folder), tell }
  const builder = createBuilder({ ...deps, ...shape, signer, stopping, tell })
  const indexSettings = createIndexSettings(db, shape.fingerprint, signer !== undefined)
  let running: Promise<void> | undefined
  let sweeping: Promise<void> | undefined

  const update = async () => {
    if (!(await indexSettings.areOurs())) return
    // Feeds between the rounds: a first signing takes minutes, and publishers go on.
    const sign = async () => signing !== undefined && signRest(signing)
    do await builder.build()
    while (!stopping.aborted && (await sign()))
  }

  let lastFault = ''
  const run = (): Promise<void> => {
    running ??= update()
      .then(
        () => '',
        (error: unknown) => String(error),
      )
      .then((fault) => {
        // A node with an old key would fill the log every two seconds.
        if (fault !== '' && fault !== lastFault)
          log.warn({ fault }, 'index update failed, retrying on the next sweep')
        lastFault = fault
      })
      .finally(() => {
        running = undefined
      })
    return running
  }

  let isPrepared = false
  let cleanAt = Number.NEGATIVE_INFINITY
  const tidy = async () => {
    if (!isPrepared) await openInstallationFeed(db)
    isPrepared = true
    if (performance.now() >= cleanAt) {
      const isClean = await keepHouse(deps)
      // What is left waits for the next sweep.
      if (isClean) cleanAt = performance.now() + HOUSEKEEPING_MS
    }
    if (signing !== undefined && (await indexSettings.areOurs())) await refreshTrust(signing)
    // Last: an object store that fails must not keep a new root from being taken over.
    await recoverFacts(deps)
  }

  const sweep = async () => {
    let lastTidyFault = ''
    while (!stopping.aborted) {
      const fault = await tidy().then(
        () => '',
        (error: unknown) => String(error),
      )
      // A missing folder would fill the log every two seconds.
      if (fault !== '' && fault !== lastTidyFault) log.warn({ fault }, 'index sweep failed, retrying')
      lastTidyFault = fault
      await run()
      await sleep(SWEEP_MS, undefined, { signal: stopping }).catch(() => undefined)
    }
  }

  return {
    async settle(deadlineMs, changed) {
      const giveUpAt = performance.now() + deadlineMs
      const until = clock.now()
      const among = changed && feedsOf(changed.owner, changed.visibility)
      const wanted = await findWaitingFeeds(db, until, among)
      if (among !== undefined) builder.prefer(wanted)
      const isSettled = async () =>
        // There were more than were looked at: nobody knows about the rest.
        wanted.length < MOST_WAITING &&
        (await areBuilt(db, wanted, clock.now())) &&
        (signer === undefined || !(await hasMarks(db, { until, owner: changed?.owner })))
      for (;;) {
        // One that was under way may have looked before the change.
        const round = (running ?? Promise.resolve()).then(run)
        const leftMs = giveUpAt - performance.now()
        const isOver = new AbortController()
        if (leftMs > 0)
          await Promise.race([
            among === undefined ? round : untilBuilt(round, changes, isSettled, isOver.signal),
            sleep(leftMs, undefined, { signal: isOver.signal }).catch(() => undefined),
          ])
        isOver.abort()
        if (await isSettled()) return true
        if (performance.now() >= giveUpAt || stopping.aborted) return false
        await sleep(LOOK_AGAIN_MS)
      }
    },
    start() {
      sweeping ??= sweep()
    },
    async stop() {
      stopper.abort()
      await Promise.all([sweeping, running])
    },
  }
}

/** The feeds of one owner may be done long before everything else that waits. */
async function untilBuilt(
  round: Promise<void>,
  changes: Signal,
  isSettled: () => Promise<boolean>,
  isOver: AbortSignal,
): Promise<void> {
  const over = round.then(() => true)
  let next = changes.wait(LOOK_ANYWAY_MS)
  const look = () => {
    if (isOver.aborted) return true
    // Before the look: what is announced during it must not be missed.
    next = changes.wait(LOOK_ANYWAY_MS)
    return isSettled()
  }
  while (!isOver.aborted) if (await Promise.race([over, next.then(look)])) return
}
