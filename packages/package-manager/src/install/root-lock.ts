import { type LockHolder, withLock } from '@patchbay/primitives/files'
import { systemSurroundings } from '../surroundings.ts'
import { InstallFailure } from './install-failure.ts'

export interface RootLockOptions {
  /** How long to wait for another manager. */
  readonly patienceMs: number
  readonly now?: () => number
  readonly createId?: () => string
  /** Told once that, and for whom, this one waits. */
  readonly notify: (message: string) => void
  readonly signal?: AbortSignal
}

/** Runs while nobody else changes what the lock stands for. The folder of the lock has to be there. */
export async function withRootLock<T>(
  path: string,
  { patienceMs, notify, signal, ...deps }: RootLockOptions,
  run: () => Promise<T>,
): Promise<T> {
  const { now = systemSurroundings.now, createId = systemSurroundings.randomUUID } = deps
  const options = {
    now,
    createId,
    patienceMs,
    // A manager on another machine may be in the middle of a switch that takes longer than any pause.
    silenceMs: Infinity,
    signal,
    onWait: (holder: LockHolder | undefined) => notify(`waiting for ${describe(holder)}`),
    busy: (holder: LockHolder | undefined) =>
      signal?.aborted === true
        ? new InstallFailure('aborted', 'stopped while waiting for another manager')
        : new InstallFailure(
            'locked',
            `another manager is at work here, ${describe(holder)}: wait for it, or delete ${path} if you know that it is gone`,
          ),
  }
  return withLock(path, options, run)
}

function describe(holder: LockHolder | undefined): string {
  if (holder === undefined) return 'and it cannot be told which'
  return `process ${holder.pid} on ${holder.host} since ${holder.since}`
}
