/** What the pid file says about the gateway that was started last. */
export interface ProcessRecord {
  readonly pid: number
  readonly instance: string
  /** In the system's own unit; `null` where the system does not tell. */
  readonly startTime: string | null
  readonly command: readonly string[]
  readonly startedAt: string
}

/** What can be seen of the process that has this pid now. */
export interface Sighting {
  readonly alive: boolean
  readonly startTime: string | null
  /** The instance id in its environment: a text, `none` when there is none, `unknown` when it cannot be read. */
  readonly instance: { readonly id: string } | 'none' | 'unknown'
}

export type Identity =
  | { readonly verdict: 'ours' }
  | { readonly verdict: 'gone'; readonly reason: string }
  | { readonly verdict: 'unproven'; readonly reason: string }

/**
 * Whether a process is the one of the pid file. Pids are reused, so a living pid proves nothing: the start time must
 * be the same, and the process must know the instance id, from its environment or by its answer to `/health`.
 */
export function identify(
  record: ProcessRecord,
  seen: Sighting,
  healthInstance: string | undefined,
): Identity {
  const { pid, instance, startTime } = record
  if (!seen.alive) return { verdict: 'gone', reason: `Process ${pid} of the pid file has ended.` }
  if (startTime !== null && seen.startTime !== null && startTime !== seen.startTime)
    return { verdict: 'gone', reason: `Pid ${pid} now belongs to a process that started at another time.` }
  if (seen.instance === 'none' || (seen.instance !== 'unknown' && seen.instance.id !== instance))
    return { verdict: 'gone', reason: `Pid ${pid} now belongs to a process that is no gateway of ours.` }
  if (healthInstance === instance) return { verdict: 'ours' }
  if (seen.instance !== 'unknown' && seen.startTime !== null && startTime !== null) return { verdict: 'ours' }
  return {
    verdict: 'unproven',
    reason:
      `Process ${pid} of the pid file is alive, but nothing proves that it is our gateway. It is left alone. ` +
      'End it, or remove the pid file, if you know better.',
  }
}

/** Signals to 0, 1 and negative numbers reach groups, the first process, or everybody. */
export function isOrdinaryPid(pid: unknown): pid is number {
  return typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 1
}
