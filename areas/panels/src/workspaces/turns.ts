import { Problem } from '@patchbay/contracts'

export interface TurnsOptions<Job> {
  /** That are done in one go. */
  readonly most: number
  /** What has a go of its own: it may fail, and must not fail the others. */
  readonly isAlone?: (job: Job) => boolean
  /** For one key; one more is refused. */
  readonly waiting: number
}

interface Waiting<Job, Result> {
  readonly job: Job
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * One go at a time for each key; what comes meanwhile waits, and is done together in the next. Without it a thousand
 * changes of one workspace would hold every connection to the database, only to wait for one row.
 */
export function createTurns<Job, Result>(
  work: (key: string, jobs: readonly Job[]) => Promise<readonly Result[]>,
  { most, waiting, isAlone = () => false }: TurnsOptions<Job>,
): (key: string, job: Job) => Promise<Result> {
  const queues = new Map<string, Waiting<Job, Result>[]>()

  const goOn = async (key: string, queue: Waiting<Job, Result>[]): Promise<void> => {
    while (queue.length > 0) {
      const end = queue.slice(0, most).findIndex(({ job }) => isAlone(job))
      const batch = queue.splice(0, end === -1 ? most : Math.max(1, end))
      try {
        const results = await work(
          key,
          batch.map(({ job }) => job),
        )
        if (results.length !== batch.length) throw new Error('a go has one result per job')
        for (const [at, { resolve }] of batch.entries()) resolve(results[at] as Result)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    queues.delete(key)
  }

  return (key, job) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(key)
      if (queue !== undefined && queue.length >= waiting) return reject(tooMany())
      if (queue !== undefined) return void queue.push({ job, resolve, reject })
      const begun: Waiting<Job, Result>[] = [{ job, resolve, reject }]
      queues.set(key, begun)
      void goOn(key, begun)
    })
}

function tooMany(): Problem {
  return new Problem('rate_limited', {
    detail: 'Too many changes of this workspace wait already.',
    extensions: { retry_after_seconds: 1 },
    headers: { 'retry-after': '1' },
  })
}
