import { utimes } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { describeThisProcess, livenessOf, type ProcessIdentity } from '../process/index.ts'
import {
  addClaim,
  type Chain,
  type ChainLink,
  type Claim,
  type LockHolder,
  placeAfter,
  readChain,
  removeUnfinished,
} from './claim-chain.ts'
import { removeFile } from './file-system.ts'

export interface FileLock extends AsyncDisposable {
  /** Whether nobody took the lock over meanwhile, which happens only to a holder that others cannot see. */
  isHeld(): Promise<boolean>
  release(): Promise<void>
}

export interface LockOptions {
  /** Answers another id each time: 20 to 36 letters, digits, dashes and underscores, such as a UUID. */
  readonly createId: () => string
  /** Wall time in milliseconds, for telling others since when the lock is held. */
  readonly now: () => number
  /** How long anybody waits for a holder that lives. 0: not at all. */
  readonly patienceMs?: number
  /** After so long without a pulse, a holder that cannot be seen counts as gone. `Infinity`: never. */
  readonly silenceMs?: number
  readonly pulseMs?: number
  /** Ends the waiting, as the end of the patience does. */
  readonly signal?: AbortSignal | undefined
  /** Told once, before the first wait, for whom. The holder is unknown when its file cannot be read. */
  readonly onWait?: (holder: LockHolder | undefined) => void
  /** What to throw when the waiting ends without the lock; `LockBusy` unless told. */
  readonly busy?: (holder: LockHolder | undefined) => Error
}

/** Somebody else has held the lock for longer than anybody should wait. */
export class LockBusy extends Error {
  override readonly name = 'LockBusy'

  constructor(path: string) {
    super(`another process holds ${path}`)
  }
}

const DEFAULTS = { patienceMs: 30_000, silenceMs: 10_000, pulseMs: 1_000 }
const POLL_MS = 20
const LONGEST_POLL_MS = 100

type Times = LockOptions & typeof DEFAULTS

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
  const times: Times = { ...DEFAULTS, ...options }
  const { busy = () => new LockBusy(head), onWait, signal } = times
  const self = describeThisProcess()
  const watch = new PulseWatch(times.silenceMs)
  const end = performance.now() + times.patienceMs
  let isTold = false
  for (let poll = POLL_MS; ; poll = Math.min(poll * 1.5, LONGEST_POLL_MS)) {
    if (await settled()) return undefined
    const { last, next } = await readChain(head)
    const state = next === undefined ? 'held' : stateOf(last, self, watch)
    if (state === 'free' && next !== undefined) {
      const lock = await claim(head, next, self, times)
      if (lock !== undefined) return lock
    }
    // `unclear`: without its pulse nobody knows whether this holder lives. If all gave up before they know, a lock that
    // another container left would stay for good. `free`: somebody was faster, and the next look says who.
    if (signal?.aborted === true || (state === 'held' && performance.now() >= end))
      throw busy(last?.claim.holder)
    if (state !== 'free' && !isTold) {
      isTold = true
      onWait?.(last?.claim.holder)
    }
    await sleep(poll)
  }
}

function stateOf(
  last: ChainLink | undefined,
  self: ProcessIdentity,
  watch: PulseWatch,
): 'free' | 'held' | 'unclear' {
  if (last === undefined) return 'free'
  const { holder } = last.claim
  const liveness = holder === undefined ? 'unknown' : livenessOf(holder, self)
  if (liveness === 'unknown') return watch.look(last)
  return liveness === 'gone' ? 'free' : 'held'
}

async function claim(
  head: string,
  path: string,
  self: ProcessIdentity,
  times: Times,
): Promise<FileLock | undefined> {
  const mine: Claim = {
    id: times.createId(),
    holder: { ...self, since: new Date(times.now()).toISOString() },
  }
  // A file that a power cut emptied says nothing about its holder, and where no pulse decides it would stay for good.
  if (!(await addClaim(path, mine, times.silenceMs === Infinity))) return undefined
  const chain = await readChain(head)
  if (chain.last?.claim.id === mine.id) {
    // Whether this succeeds changes nothing about the lock.
    await removeUnfinished(head).catch(() => undefined)
    return hold(head, chain, mine, times)
  }
  // The chain was removed while it was read, so the claim hangs in the air. One that is part of a chain is never
  // removed from its middle: the place would be free a second time.
  if (path !== head && !chain.links.some(({ claim: { id } }) => id === mine.id)) await removeFile(path)
  return undefined
}

function hold(
  head: string,
  { links }: Chain,
  mine: Claim,
  { createId, pulseMs, silenceMs }: Times,
): FileLock {
  const own = links.at(-1)?.path ?? head
  let beats = 0
  let lastBeat = performance.now()
  const beat = () => {
    beats += 1
    const at = performance.now()
    // Only that it changes matters, not what it says, so no two clocks need to agree.
    utimes(own, beats, beats).then(
      () => (lastBeat = at),
      () => undefined,
    )
  }
  // Where nobody looks at the pulse, a disk that sleeps is not woken every second.
  const timer = Number.isFinite(silenceMs) ? setInterval(beat, pulseMs).unref() : undefined
  const release = async () => {
    clearInterval(timer)
    // The place after the last one is taken as well, so that nobody gets it while the chain is being removed.
    const done: Claim = { ...mine, id: createId() }
    const end = placeAfter(head, mine)
    // A full disk must not keep the lock for as long as this process lives.
    const ended = (await addClaim(end, done).catch(() => false)) || (await isLast(head, mine))
    // Somebody took over: the chain is theirs.
    if (!ended) return
    // The head first: without it, the rest is no chain, and nobody can claim a place in it.
    await removeFile(head)
    for (const { path } of links) if (path !== head) await removeFile(path)
    await removeFile(end)
  }
  return {
    async isHeld() {
      if (performance.now() - lastBeat > Math.max(silenceMs / 2, pulseMs * 2)) return false
      return isLast(head, mine)
    },
    release,
    [Symbol.asyncDispose]: release,
  }
}

async function isLast(head: string, { id }: Claim): Promise<boolean> {
  return (await readChain(head)).last?.claim.id === id
}

/** Measures how long one claim has shown no pulse, in time during which this process itself was running. */
class PulseWatch {
  readonly #silenceMs: number
  #seen: string | undefined
  #hasChanged = false
  #silentMs = 0
  #at = 0

  constructor(silenceMs: number) {
    this.#silenceMs = silenceMs
  }

  /** `free` after the silence, `held` when anything was seen to change, `unclear` as long as nothing did. */
  look({ claim: { id }, pulse }: ChainLink): 'free' | 'held' | 'unclear' {
    const now = performance.now()
    const seen = `${id} ${pulse}`
    const isSame = seen === this.#seen
    this.#hasChanged ||= !isSame && this.#seen !== undefined
    // A process that was stopped for an hour must not conclude from its own pause that the other one is gone.
    this.#silentMs = isSame ? this.#silentMs + Math.min(now - this.#at, 5 * LONGEST_POLL_MS) : 0
    this.#seen = seen
    this.#at = now
    if (this.#silentMs >= this.#silenceMs) return 'free'
    return this.#hasChanged || this.#silenceMs === Infinity ? 'held' : 'unclear'
  }
}
