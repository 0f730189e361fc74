import type { Log } from '../log/index.ts'

export interface Part {
  readonly name: string
  stop(): Promise<void>
}

/** What has been started, so that it can be stopped in reverse: routes before the database they use. */
export class Lifecycle {
  readonly #log: Log
  readonly #parts: Part[] = []
  #stopping: Promise<boolean> | undefined

  constructor(log: Log) {
    this.#log = log
  }

  /** Starts a part; when that fails, everything started before is stopped and the failure is passed on. */
  async start<Started>(
    name: string,
    start: () => Promise<Started>,
    stop: (part: Started) => Promise<void>,
  ): Promise<Started> {
    try {
      const part = await start()
      this.#parts.push({ name, stop: () => stop(part) })
      return part
    } catch (error) {
      await this.stop(START_FAILURE_DEADLINE_MS)
      throw error
    }
  }

  /** Resolves `true` when every part stopped in time. Calling it again joins the first call. */
  stop(deadlineMs: number): Promise<boolean> {
    this.#stopping ??= this.#stopAll(performance.now() + deadlineMs)
    return this.#stopping
  }

  async #stopAll(end: number): Promise<boolean> {
    let clean = true
    for (const part of this.#parts.toReversed()) {
      const stopped = await this.#stopPart(part, Math.max(MINIMUM_SHARE_MS, end - performance.now()))
      clean &&= stopped
    }
    return clean
  }

  async #stopPart(part: Part, deadlineMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const deadline = new Promise<'hung'>((resolve) => {
      timer = setTimeout(() => resolve('hung'), deadlineMs)
    })
    try {
      const outcome = await Promise.race([part.stop().then(() => 'stopped' as const), deadline])
      if (outcome === 'hung') this.#log.error({ part: part.name }, 'did not stop in time')
      return outcome === 'stopped'
    } catch (error) {
      this.#log.error({ part: part.name, err: error }, 'failed to stop')
      return false
    } finally {
      clearTimeout(timer)
    }
  }
}

const START_FAILURE_DEADLINE_MS = 5_000
/** Even when the deadline has passed, each part left gets this long to close its files and sockets. */
const MINIMUM_SHARE_MS = 200
