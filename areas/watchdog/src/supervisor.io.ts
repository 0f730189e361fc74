import { Problem } from '@patchbay/contracts/core'
import type { WatchdogStatus } from '@patchbay/contracts/gateway'
import type { Clock } from '@patchbay/kernel/clock'
import type { Log } from '@patchbay/kernel/log'
import { COMMAND_QUEUE, CommandQueue } from './command-queue.ts'
import { examine } from './examine.io.ts'
import { adoptGateway, type GatewayPlan, type GatewayProcess, spawnGateway } from './gateway-process.io.ts'
import { askHealth } from './health.io.ts'
import { judge } from './health.ts'
import type { ProcessRecord } from './identity.ts'
import { emptyWhenTooLong, readLastLines } from './last-lines.io.ts'
import { present } from './present.ts'
import type { StateFolder } from './state-folder.io.ts'
import { step } from './step.ts'
import {
  type Command,
  type Effect,
  type Ending,
  memoryOf,
  nextDeadline,
  type Supervision,
  type SupervisionEvent,
  startSupervision,
} from './supervision.ts'
import type { Timings } from './timings.ts'

export interface SupervisorOptions {
  readonly plan: GatewayPlan
  readonly gatewayUrl: string
  readonly folder: StateFolder
  readonly timings: Timings
  /** Holds until somebody switches it; a switch is remembered. */
  readonly autoRestart: boolean
  readonly newInstance: () => string
  readonly clock: Clock
  readonly log: Log
  readonly pid: number
}

const NO_RESTARTS = { exited: 0, unhealthy: 0, commanded: 0 }

/** Carries out what `step` decides, and reports to it what happens. */
export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #queue = new CommandQueue<WatchdogStatus>(COMMAND_QUEUE)
  readonly #startedAt: string
  readonly #watchers = new Set<() => void>()
  readonly #events: SupervisionEvent[] = []
  #state: Supervision
  #gateway: GatewayProcess | undefined
  #orphan: WatchdogStatus['orphan'] = null
  #poll: NodeJS.Timeout | undefined
  #deadline: NodeJS.Timeout | undefined
  #probing = false

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#startedAt = options.clock.now().toISOString()
    this.#state = startSupervision(
      options.folder.readMemory() ?? {
        wanted: 'running',
        switchedTo: undefined,
        restarts: NO_RESTARTS,
        lastExit: undefined,
      },
      options.autoRestart,
    )
  }

  start(): void {
    this.#poll = setInterval(() => this.#onPoll(), this.#options.timings.pollIntervalMs)
    this.#dispatch({ type: 'boot' })
  }

  /** From memory alone. */
  status(): WatchdogStatus {
    const { clock, gatewayUrl, pid, timings } = this.#options
    const { record, adopted } = this.#gateway ?? {}
    return present(
      this.#state,
      {
        gatewayUrl,
        gateway: record === undefined ? undefined : { ...record, adopted: adopted === true },
        orphan: this.#orphan ?? undefined,
        watchdog: { pid, startedAt: this.#startedAt },
      },
      { elapsedMs: performance.now(), wall: clock.now() },
      timings,
    )
  }

  /** Resolves when the command has been carried out, or has taken as long as it may. */
  async command(command: Command): Promise<WatchdogStatus> {
    return await this.#enqueue(command, async () => {
      this.#dispatch({ type: 'command', command })
      const { drainMs, killRepeatMs, startWaitMs } = this.#options.timings
      const stopMs = command === 'start' ? 0 : drainMs + killRepeatMs
      const startMs = command === 'stop' ? 0 : startWaitMs
      await this.#waitUntil(() => this.#hasSettled(), stopMs + startMs)
      const { name } = this.#state.phase
      if (command !== 'stop' && (name === 'foreign' || name === 'refused'))
        throw new Problem('gateway_not_ours', { detail: this.status().detail })
      return this.status()
    })
  }

  async switchAutoRestart(to: boolean | 'toggle'): Promise<WatchdogStatus> {
    return await this.#enqueue(to === 'toggle' ? undefined : `auto ${to}`, async () => {
      this.#dispatch({ type: 'switch', autoRestart: to })
      return this.status()
    })
  }

  /** Ends the gateway with the watchdog, or leaves it to the next one. */
  async stop({ leaveRunning }: { leaveRunning: boolean }): Promise<void> {
    clearInterval(this.#poll)
    this.#dispatch({ type: 'close', leaveRunning })
    const { drainMs, killRepeatMs } = this.#options.timings
    await this.#waitUntil(() => this.#state.phase.name === 'stopped', drainMs + 2 * killRepeatMs)
    clearTimeout(this.#deadline)
    this.#gateway?.release()
  }

  async #enqueue(name: string | undefined, command: () => Promise<WatchdogStatus>): Promise<WatchdogStatus> {
    return await this.#queue.run(name, async () => {
      if (this.#state.closing) throw new Problem('shutting_down')
      return await command()
    })
  }

  #hasSettled(): boolean {
    return !['examining', 'starting', 'stopping'].includes(this.#state.phase.name)
  }

  #onPoll(): void {
    emptyWhenTooLong(this.#options.folder.errorsFile)
    this.#dispatch({ type: 'poll' })
  }

  /** Events are taken one after the other, also those that an effect causes at once. */
  #dispatch(event: SupervisionEvent): void {
    this.#events.push(event)
    if (this.#events.length > 1) return
    for (let next = this.#events[0]; next !== undefined; next = this.#events[0]) {
      this.#take(next)
      this.#events.shift()
    }
    this.#scheduleDeadline()
    for (const watcher of this.#watchers) watcher()
  }

  #take(event: SupervisionEvent): void {
    const { folder, log, timings } = this.#options
    const before = this.#state
    const { state, effects } = step(before, event, performance.now(), timings)
    this.#state = state
    if (!sameMemory(before, state)) folder.writeMemory(memoryOf(state))
    if (before.phase.name !== state.phase.name) {
      const { detail, state: name } = this.status()
      log.info({ state: name, detail }, 'gateway')
    }
    for (const effect of effects) {
      try {
        this.#carryOut(effect)
      } catch (error) {
        // Whatever the gateway or the system does, somebody must go on watching.
        log.error({ err: error, effect: effect.type }, 'watchdog action failed')
      }
    }
  }

  #carryOut(effect: Effect): void {
    switch (effect.type) {
      case 'examine':
        void this.#examine()
        return
      case 'spawn':
        this.#spawn(effect.run)
        return
      case 'adopt':
        this.#adopt(effect.run, effect.record)
        return
      case 'check':
        void this.#check(effect.run, effect.counts)
        return
      case 'terminate':
        this.#gateway?.terminate()
        return
      case 'kill':
        this.#options.log.warn('gateway did not stop in time, killing its process group')
        this.#gateway?.kill()
    }
  }

  async #examine(): Promise<void> {
    const { folder, gatewayUrl, timings, log } = this.#options
    try {
      const { finding, orphan } = await examine(folder, gatewayUrl, timings.healthTimeoutMs)
      if (orphan !== null && orphan.reason !== this.#orphan?.reason) log.info({ orphan }, 'found a pid file')
      this.#orphan = orphan
      this.#dispatch({ type: 'examined', finding })
    } catch (error) {
      log.error({ err: error }, 'failed to check who holds the gateway port')
      const reason = 'It cannot be seen who has the place of the gateway; the log says why.'
      this.#dispatch({ type: 'examined', finding: { kind: 'unproven', reason } })
    }
  }

  #spawn(run: number): void {
    const { plan, folder, clock, newInstance, log } = this.#options
    const details = {
      instance: newInstance(),
      startedAt: clock.now().toISOString(),
      errorsFile: folder.errorsFile,
    }
    this.#gateway = spawnGateway(plan, details, (ending) => this.#onEnd(run, ending))
    if (this.#gateway === undefined) return
    folder.writePidFile(this.#gateway.record)
    log.info({ pid: this.#gateway.record.pid, instance: details.instance }, 'gateway started')
  }

  #adopt(run: number, record: ProcessRecord): void {
    const { timings, log } = this.#options
    this.#gateway = adoptGateway(record, timings.adoptedWatchMs, (ending) => this.#onEnd(run, ending))
    log.info({ pid: record.pid, instance: record.instance }, 'adopted the gateway of a previous watchdog')
  }

  #onEnd(run: number, ending: Omit<Ending, 'at' | 'lastErrors'>): void {
    const { folder, clock, log } = this.#options
    const lastErrors = ending.startFailure === undefined ? readLastLines(folder.errorsFile) : []
    log.warn({ ...ending, lastErrors }, 'gateway exited')
    this.#gateway = undefined
    folder.removePidFile()
    this.#dispatch({
      type: 'exited',
      run,
      ending: { ...ending, at: clock.now().toISOString(), lastErrors },
    })
  }

  async #check(run: number, counts: boolean): Promise<void> {
    const { gatewayUrl, timings, clock } = this.#options
    const instance = this.#gateway?.record.instance
    // A starting gateway that takes connections but does not answer would collect one open check after another.
    if (instance === undefined || (!counts && this.#probing)) return
    if (!counts) this.#probing = true
    const begun = performance.now()
    const answer = await askHealth(gatewayUrl, timings.healthTimeoutMs)
    if (!counts) this.#probing = false
    const check = judge(answer, instance, {
      at: clock.now().toISOString(),
      durationMs: Math.round(performance.now() - begun),
    })
    this.#dispatch({ type: 'checked', run, counts, check })
  }

  #scheduleDeadline(): void {
    clearTimeout(this.#deadline)
    const at = nextDeadline(this.#state)
    if (at === undefined) return
    const waitMs = Math.max(0, Math.ceil(at - performance.now()))
    this.#deadline = setTimeout(() => this.#dispatch({ type: 'time' }), waitMs)
  }

  async #waitUntil(holds: () => boolean, deadlineMs: number): Promise<void> {
    if (holds()) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const look = () => {
      if (holds()) resolve()
    }
    const timer = setTimeout(resolve, deadlineMs)
    this.#watchers.add(look)
    await promise
    this.#watchers.delete(look)
    clearTimeout(timer)
  }
}

function sameMemory(one: Supervision, other: Supervision): boolean {
  return (
    one.wanted === other.wanted &&
    one.switchedTo === other.switchedTo &&
    one.restarts === other.restarts &&
    one.lastExit === other.lastExit
  )
}
