import { setTimeout as sleep } from 'node:timers/promises'
import { systemSurroundings } from '../../surroundings.ts'
import { InstallFailure } from '../install-failure.ts'
import type { Layout } from '../layout.ts'
import { claim, release } from './claim.ts'
import { tidyClaims } from './tidy-claims.ts'
import { describeSelf, type LockHolder } from './lock-holder.ts'

export interface LockOptions {
  /** How long to wait for another manager. */
  readonly patienceMs: number
  readonly now?: () => number
  readonly createId?: () => string
  /** Told once that, and for whom, this one waits. */
  readonly notify: (message: string) => void
  readonly signal?: AbortSignal
}

const SHORTEST_POLL_MS = 10
const LONGEST_POLL_MS = 200

/** The lock, and a folder for claims to it while they are written. The folder of the lock has to be there. */
type LockPlace = Pick<Layout, 'lock' | 'claims'>

/** Runs while nobody else changes what the lock stands for. */
export async function withRootLock<T>(
  layout: LockPlace,
  options: LockOptions,
  run: () => Promise<T>,
): Promise<T> {
  const self = await acquire(layout, options)
  try {
    return await run()
  } finally {
    await release(layout.lock, self)
  }
}

async function acquire({ lock, claims }: LockPlace, options: LockOptions): Promise<LockHolder> {
  const { patienceMs, notify, signal } = options
  const { now = systemSurroundings.now, createId = systemSurroundings.randomUUID } = options
  const self = await describeSelf(createId(), new Date(now()).toISOString())
  const end = performance.now() + patienceMs
  let isTold = false
  for (let poll = SHORTEST_POLL_MS; ; poll = Math.min(poll * 1.5, LONGEST_POLL_MS)) {
    const result = await claim(lock, self, claims)
    if (result === 'mine') {
      await tidyClaims(lock, claims, self)
      return self
    }
    const holder = result === 'again' ? undefined : result.holder
    if (performance.now() >= end) throw locked(lock, result === 'again' ? undefined : result)
    if (signal?.aborted === true)
      throw new InstallFailure('aborted', 'stopped while waiting for another manager')
    if (!isTold && result !== 'again') {
      notify(`waiting for ${describe(holder)}`)
      isTold = true
    }
    await sleep(Math.min(poll, Math.max(1, end - performance.now())))
  }
}

function locked(path: string, seen: { readonly holder: LockHolder | undefined } | undefined): InstallFailure {
  return new InstallFailure(
    'locked',
    `another manager is at work here, ${describe(seen?.holder)}: wait for it, or delete ${path} if you know that it is gone`,
  )
}

function describe(holder: LockHolder | undefined): string {
  if (holder === undefined) return 'and it cannot be told which'
  return `process ${holder.pid} on ${holder.host} since ${holder.since}`
}
