import { utimes } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { describeThisProcess, livenessOf, type ProcessIdentity } from '../process/process-identity.ts'
import { addClaim, type Chain, type ChainLink, type Claim, placeAfter, readChain } from './claim-chain.ts'
import { removeFile } from './file-system.ts'
import { LockBusy } from './lock-busy.ts'

export interface FileLock {
  /** Whether nobody took the lock over meanwhile, which happens only to a holder that others cannot see. */
  isHeld(): Promise<boolean>
  release(): Promise<void>
}

export interface LockOptions {
  /** Answers another UUID each time. */
  readonly createId: () => string
  /** How long anybody waits for the lock. */
  readonly patienceMs?: number
  /** After so long without a pulse, a holder that cannot be seen counts as gone. */
  readonly silenceMs?: number
  readonly pulseMs?: number
}

const DEFAULTS = { patienceMs: 30_000, silenceMs: 10_000, pulseMs: 1_000 }
const POLL_MS = 20
const LONGEST_POLL_MS = 100

/** Works while nobody else does who uses the same lock. */
export async function withLock<T>(head: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  const lock = await acquireLock(head, options)
  try {
    return await work()
  } finally {
    await lock.release()
  }
}

/**
 * One holder over all processes that share the disk. A holder that is seen to be alive keeps the lock for as long as it
 * likes, even if it hangs: whoever waits gives up instead, with `LockBusy`, because two holders could undo each other.
 */
export async function acquireLock(head: string, options: LockOptions): Promise<FileLock> {
  const lock = await acquireLockUnless(head, async () => false, options)
  if (lock === undefined) throw new LockBusy(head)
  return lock
}

/** `undefined` as soon as `settled` says that there is nothing left to do. */
export async function acquireLockUnless(
  head: string,
  settled: () => Promise<boolean>,
  options: LockOptions,
): Promise<FileLock | undefined> {
  const times = { ...DEFAULTS, ...options }
  const self = await describeThisProcess()
  const watch = new PulseWatch(times.silenceMs)
  const end = performance.now() + times.patienceMs
  for (let poll = POLL_MS; ; poll = Math.min(poll * 1.5, LONGEST_POLL_MS)) {
    if (await settled()) return undefined
    const chain = await readChain(head)
    if (await isFree(chain.last, self, watch)) {
      const lock = await claim(head, chain.next, self, times)
      if (lock !== undefined) return lock
    }
    if (performance.now() > end) throw new LockBusy(head)
    await sleep(poll)
  }
}

async function isFree(
  last: ChainLink | undefined,
  self: ProcessIdentity,
  watch: PulseWatch,
): Promise<boolean> {
  if (last === undefined) return true
  const liveness = last.claim.holder === undefined ? 'unknown' : await livenessOf(last.claim.holder, self)
  if (liveness === 'unknown') return watch.isSilent(last)
  return liveness === 'gone'
}

async function claim(
  head: string,
  path: string,
  holder: ProcessIdentity,
  times: Required<LockOptions>,
): Promise<FileLock | undefined> {
  const mine: Claim = { id: times.createId(), holder }
  if (!(await addClaim(path, mine))) return undefined
  const chain = await readChain(head)
  if (chain.last?.claim.id === mine.id) return hold(head, chain, mine, times)
  // The chain was removed while it was read, so the claim hangs in the air. One that is part of a chain is never
  // removed from its middle: the place would be free a second time.
  if (path !== head && !chain.links.some(({ claim: { id } }) => id === mine.id)) await removeFile(path)
  return undefined
}

function hold(
  head: string,
  { links }: Chain,
  mine: Claim,
  { createId, pulseMs, silenceMs }: Required<LockOptions>,
): FileLock {
  const own = links.at(-1)?.path ?? head
  let beats = 0
  let lastBeat = performance.now()
  const timer = setInterval(() => {
    beats += 1
    const at = performance.now()
    // Only that it changes matters, not what it says, so no two clocks need to agree.
    utimes(own, beats, beats).then(
      () => (lastBeat = at),
      () => undefined,
    )
  }, pulseMs).unref()
  return {
    async isHeld() {
      if (performance.now() - lastBeat > Math.max(silenceMs / 2, pulseMs * 2)) return false
      return isLast(head, mine)
    },
    async release() {
      clearInterval(timer)
      // The place after the last one is taken as well, so that nobody gets it while the chain is being removed.
      const done: Claim = { ...mine, id: createId() }
      const end = placeAfter(head, mine)
      // A full disk must not keep the lock for as long as this process lives.
      const ended = await addClaim(end, done).catch(() => isLast(head, mine))
      // Somebody took over: the chain is theirs.
      if (!ended) return
      // The head first: without it, the rest is no chain, and nobody can claim a place in it.
      await removeFile(head)
      for (const { path } of links) if (path !== head) await removeFile(path)
      await removeFile(end)
    },
  }
}

async function isLast(head: string, { id }: Claim): Promise<boolean> {
  return (await readChain(head)).last?.claim.id === id
}

/** Measures how long one claim has shown no pulse, in time during which this process itself was running. */
class PulseWatch {
  readonly #silenceMs: number
  #seen = ''
  #silentMs = 0
  #at = 0

  constructor(silenceMs: number) {
    this.#silenceMs = silenceMs
  }

  isSilent({ claim: { id }, pulse }: ChainLink): boolean {
    const now = performance.now()
    const seen = `${id} ${pulse}`
    // A process that was stopped for an hour must not conclude from its own pause that the other one is gone.
    this.#silentMs = seen === this.#seen ? this.#silentMs + Math.min(now - this.#at, 5 * LONGEST_POLL_MS) : 0
    this.#seen = seen
    this.#at = now
    return this.#silentMs >= this.#silenceMs
  }
}
