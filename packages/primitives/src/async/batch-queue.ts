import { yieldToEventLoop } from './yield.ts'

export interface BatchQueueOptions<Job, Result> {
  /** Answers one result per job, in their order. When it fails, every job of the batch fails, and no other. */
  readonly run: (jobs: readonly Job[], key: string) => Promise<readonly Result[]>
  /**
   * `while_busy`: a batch begins at once, and what is added under its key meanwhile waits for the next: one batch per
   * key at a time. `per_turn`: a batch is what was added within one turn of the event loop; batches run side by side.
   */
  readonly collect: 'while_busy' | 'per_turn'
  /** The most that the jobs of a batch may weigh together. 100 unless given. */
  readonly maxBatch?: number
  /** 1 unless given. A job as heavy as a whole batch runs alone: it may fail, and must not fail others. */
  readonly weigh?: (job: Job) => number
  /** How many jobs of one key may wait; one more is refused. No limit unless given. */
  readonly maxWaiting?: number
  /** What a job that is one too many fails with. */
  readonly refuse?: () => Error
}

const MAX_BATCH = 100

interface Entry<Job, Result> {
  readonly job: Job
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/** Collects jobs and runs them together, where one by one would cost more than the work itself. */
export class BatchQueue<Job, Result> {
  readonly #options: BatchQueueOptions<Job, Result>
  readonly #queues = new Map<string, Entry<Job, Result>[]>()

  constructor(options: BatchQueueOptions<Job, Result>) {
    this.#options = options
  }

  add(job: Job, key = ''): Promise<Result> {
    const { collect, maxWaiting = Number.POSITIVE_INFINITY, refuse } = this.#options
    return new Promise((resolve, reject) => {
      const queue = this.#queues.get(key)
      if (queue === undefined) {
        const begun = [{ job, resolve, reject }]
        this.#queues.set(key, begun)
        if (collect === 'while_busy') void this.#runInOrder(key, begun)
        else void yieldToEventLoop().then(() => this.#runSideBySide(key, begun))
      } else if (queue.length < maxWaiting) queue.push({ job, resolve, reject })
      else reject(refuse?.() ?? new Error('the queue is full'))
    })
  }

  async #runInOrder(key: string, queue: Entry<Job, Result>[]): Promise<void> {
    while (queue.length > 0) await this.#runBatch(key, this.#takeBatch(queue))
    this.#queues.delete(key)
  }

  #runSideBySide(key: string, queue: Entry<Job, Result>[]): void {
    this.#queues.delete(key)
    while (queue.length > 0) void this.#runBatch(key, this.#takeBatch(queue))
  }

  #takeBatch(queue: Entry<Job, Result>[]): Entry<Job, Result>[] {
    const { maxBatch = MAX_BATCH, weigh } = this.#options
    let weight = 0
    const end = queue.findIndex(({ job }) => {
      weight += weigh?.(job) ?? 1
      return weight > maxBatch
    })
    return queue.splice(0, end === -1 ? queue.length : Math.max(1, end))
  }

  async #runBatch(key: string, batch: readonly Entry<Job, Result>[]): Promise<void> {
    try {
      const results = await this.#options.run(
        batch.map(({ job }) => job),
        key,
      )
      // Passed on, they would reach callers that asked for something else.
      if (results.length !== batch.length) throw new Error('a batch has one result per job')
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
}
