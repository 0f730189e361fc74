import { setTimeout as sleep } from 'node:timers/promises'
import type { DeviceConnection, DeviceValue } from '@patchbay/contracts/devices'
import { INFO, readCommand, readInfo, STATUS, STOP, STOP_ACK } from '@patchbay/device-kit'
import type { CommandOutcome, SimulatedDevice } from '@patchbay/device-kit/simulation'
import { type Link, LinkFailure, openLink } from './link.io.ts'

export type SimulationEvent =
  | { readonly type: 'online' }
  | { readonly type: 'offline'; readonly failure: LinkFailure }
  | {
      readonly type: 'command'
      readonly channel: string
      readonly value: DeviceValue
      readonly outcome: CommandOutcome
    }
  | { readonly type: 'stop'; readonly isStopped: boolean }

export interface SimulationOptions {
  readonly device: SimulatedDevice
  readonly connection: DeviceConnection
  readonly key: string
  readonly surroundings: {
    /** Milliseconds since 1970. */
    readonly now: () => number
    /** From 0 up to 1. */
    readonly random: () => number
  }
  readonly onEvent?: (event: SimulationEvent) => void
}

/** A device at work, until it is closed. */
export interface SimulationRun {
  readonly name: string
  /** It says that it is offline, and its connection ends. */
  close(): Promise<void>
}

const TICK_MS = 200
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** A connection that stood for less was none: trying again at once would go in circles. */
const STEADY_MS = 5_000
/** Ids of commands that are remembered, to answer them again. */
const MOST_REMEMBERED = 256
const LATE = 'The command came after its deadline. Check the clocks of both machines.'

/** Connects a device and keeps it connected. Time passes for it from now on, whether it is connected or not. */
export function startSimulation({
  device,
  connection,
  key,
  surroundings: { now, random },
  onEvent = () => undefined,
}: SimulationOptions): SimulationRun {
  const { topic } = connection
  const controller = new AbortController()
  const { signal } = controller
  const info = JSON.stringify(device.info)
  const repeatAfterMs = new Map(
    readInfo(info)?.channels.map(({ name, staleAfterMs }) => [name, staleAfterMs / 2]) ?? [],
  )
  const published = new Map<string, { readonly text: string; readonly at: number }>()
  const outcomes = new Map<string, CommandOutcome>()
  let link: Link | undefined
  let steppedAt = performance.now()

  function tick(): void {
    const at = performance.now()
    device.step((at - steppedAt) / 1_000)
    steppedAt = at
    publishValues()
  }

  function publishValues(): void {
    if (link === undefined || link.isBusy) return
    const at = performance.now()
    for (const [channel, value] of Object.entries(device.values())) {
      const text = JSON.stringify(value)
      const before = published.get(channel)
      if (before?.text === text && at - before.at < (repeatAfterMs.get(channel) ?? 0)) continue
      published.set(channel, { text, at })
      link.publish(`${topic}/${channel}`, text)
    }
  }

  function hear(suffix: string, text: string): void {
    if (suffix === STOP) hearStop(text)
    else if (suffix.endsWith('/set')) obey(suffix.slice(0, -'/set'.length), text)
  }

  function obey(channel: string, text: string): void {
    const command = readCommand(text)
    if (command === undefined) return
    const { id, value, deadline } = command
    const known = outcomes.get(id)
    const outcome = known ?? carryOut(channel, value, deadline)
    if (known === undefined) remember(id, outcome)
    link?.publish(`${topic}/${channel}/ack`, JSON.stringify({ id, ...outcome }))
    if (known !== undefined) return
    onEvent({ type: 'command', channel, value, outcome })
    publishValues()
  }

  const carryOut = (channel: string, value: DeviceValue, deadline: number): CommandOutcome =>
    now() > deadline ? { status: 'refused', message: LATE } : device.command(channel, value)

  function remember(id: string, outcome: CommandOutcome): void {
    outcomes.set(id, outcome)
    const [oldest] = outcomes.keys()
    if (outcomes.size > MOST_REMEMBERED && oldest !== undefined) outcomes.delete(oldest)
  }

  function hearStop(text: string): void {
    // A retained message that was taken back.
    if (text === '') return
    const { id, stop } = parse(text)
    const isStopped = stop !== false
    if (isStopped) device.stop()
    else device.release()
    if (typeof id === 'string') link?.publish(`${topic}/${STOP_ACK}`, JSON.stringify({ id, status: 'done' }))
    onEvent({ type: 'stop', isStopped })
    publishValues()
  }

  async function stayConnected(): Promise<void> {
    let pause = FIRST_PAUSE_MS
    while (!signal.aborted) {
      let openedAt: number | undefined
      try {
        link = await openLink({
          ...connection,
          key,
          // Another run of the same device is another client. A broker may ask that its id begins so.
          clientId: `${connection.username}-${Math.floor(random() * 2 ** 40).toString(36)}`,
          will: { topic: `${topic}/${STATUS}`, payload: 'offline' },
          subscriptions: [`${topic}/+/set`, `${topic}/${STOP}`],
          onMessage: (each, text) => hear(each.slice(topic.length + 1), text),
          signal,
        })
        openedAt = performance.now()
        link.publish(`${topic}/${INFO}`, info, true)
        link.publish(`${topic}/${STATUS}`, 'online', true)
        published.clear()
        onEvent({ type: 'online' })
        await link.ended
      } catch (error) {
        if (!(error instanceof LinkFailure)) throw error
        if (!signal.aborted && !isClosing) onEvent({ type: 'offline', failure: error })
      }
      link = undefined
      if (openedAt !== undefined && performance.now() - openedAt > STEADY_MS) pause = FIRST_PAUSE_MS
      await sleep(pause * (0.5 + random() / 2), undefined, { signal }).catch(() => undefined)
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
    }
  }

  let isClosing = false
  const ticking = setInterval(tick, TICK_MS)
  const running = stayConnected()
  return {
    name: device.name,
    async close() {
      isClosing = true
      clearInterval(ticking)
      link?.publish(`${topic}/${STATUS}`, 'offline', true)
      await link?.close()
      controller.abort()
      await running
    },
  }
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>
  } catch {
    return {}
  }
}
