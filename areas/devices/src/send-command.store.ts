import { isDeepStrictEqual } from 'node:util'
import { Problem } from '@patchbay/contracts/core'
import type { CommandResult, DeviceValue } from '@patchbay/contracts/devices'
import { COMMAND_LIMITS } from '@patchbay/contracts/limits'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import {
  type Acknowledgement,
  type ChannelBinding,
  commandFault,
  STOP,
  topicOf,
  writeCommand,
} from '@patchbay/device-kit'
import { inTransaction } from '@patchbay/kernel/postgres'
import type { Step } from '@patchbay/kernel/tracing'
import {
  deleteStop,
  findCommand,
  findStop,
  insertCommand,
  isStopped,
  listStopped,
  lockStopped,
  storeResult,
  storeStop,
} from './command.store.ts'
import type { Admitted, DevicesDeps } from './deps.ts'
import { type KnownDevice, listDevices } from './device.store.ts'
import type { LiveDevices } from './live-devices.store.ts'

export interface CommandWish {
  readonly channel: string
  readonly value: DeviceValue
  readonly id: string
  readonly timeoutMs: number
  readonly reason: string | undefined
}

export interface Commands {
  /** Sends it, once, and answers what the device says. Throws the problem of why it was not sent. */
  send(at: WorkspaceRef, device: KnownDevice, who: Admitted, wish: CommandWish): Promise<CommandResult>
  /** Answers how many devices were told. */
  stop(at: WorkspaceRef, who: Admitted, reason: string | undefined): Promise<number>
  release(at: WorkspaceRef, who: Admitted): Promise<void>
  /** Tells a device that listens since now that it is stopped, if it is: no broker keeps what was said before. */
  repeatStopTo(device: number): void
  /** The same where nobody says that it listens: when it has connected and had time to. */
  repeatStopSoonTo(device: number): void
  /** From now on the same for all that are stopped, until it is ended. */
  repeatStops(): Disposable
}

type Waiting = (ack: Acknowledgement) => void

/** Between two looks at what became of a command that another request has sent. */
const LOOK_AGAIN_MS = 200
const ASKS = { max: 1, windowMs: 60_000 }
/** After it connected, a device subscribes. */
const TELL_AFTER_MS = [500, 2_000] as const
/** Of devices that subscribe late, or whose broker has lost what it was told. */
const REPEAT_STOPS_MS = 10_000
/** More devices than these are told in the order in which they were stopped, the last ones first. */
const MOST_TOLD = 5_000

/** Neither the device nor what it is told: whoever reads traces need not know either. */
const COMMAND_STEP: Step = {
  name: 'command a device',
  kind: 'producer',
  attributes: { 'messaging.system': 'mqtt' },
}

/** What devices are told to do. */
export function createCommands(deps: DevicesDeps, live: LiveDevices): Commands {
  const { db, bus, broker, clock, createSecret, log, tracing } = deps
  const pending = new Map<number, Map<string, Waiting>>()
  live.onAcknowledgement((device, ack) => pending.get(device)?.get(ack.id)?.(ack))

  async function send(
    at: WorkspaceRef,
    device: KnownDevice,
    who: Admitted,
    wish: CommandWish,
  ): Promise<CommandResult> {
    const channel = requireChannel(device, wish)
    const before = await findCommand(db, device.id, wish.id)
    if (before !== undefined) return await repeated(device, who, wish)
    if (await isStopped(db, device.id)) throw new Problem('devices_stopped')
    const unarmed = unarmedFor(device, channel, who)
    if (unarmed !== undefined) {
      if (who.party.kind !== 'browser') await askToArm(at, device, who, wish.reason)
      throw unarmed
    }
    if (device.shown.status !== 'online') throw new Problem('device_offline')
    if ((pending.get(device.id)?.size ?? 0) >= COMMAND_LIMITS.waiting) throw new Problem('too_many_waiting')
    if (!broker.isUp) throw new Problem('broker_unavailable')
    const { channel: name, value, id, reason } = wish
    const isFirst = await inTransaction(db, async (tx) => {
      const note = await who.lock(tx)
      // A stop that was stored since then counts: the workspace is locked, and stopping locks it as well.
      if (await isStopped(tx, device.id)) throw new Problem('devices_stopped')
      const command = { id, channel: name, value, by: who.party, reason }
      if (!(await insertCommand(tx, device.id, command, clock.now()))) return false
      await note(`device ${device.shown.name} ${name} ${JSON.stringify(value)}`.slice(0, 200), reason)
      return true
    })
    if (!isFirst) return await repeated(device, who, wish)
    deps.workspaces.notify(at)
    const result = await (tracing === undefined
      ? carryOut(device, channel, wish)
      : tracing.step(
          () => COMMAND_STEP,
          async (span) => {
            const answered = await carryOut(device, channel, wish)
            span?.set('patchbay.command.status', answered.status)
            return answered
          },
        ))
    await storeResult(db, device.id, result).catch((err: unknown) =>
      // The device has done it: telling the caller otherwise would have it done again.
      log.warn({ err, device: device.id, command: id }, 'failed to store command result'),
    )
    return result
  }

  /** For people to read. An agent that tries again and again must not fill what they read. */
  async function askToArm(
    at: WorkspaceRef,
    { id, shown: { name } }: KnownDevice,
    who: Admitted,
    reason: string | undefined,
  ): Promise<void> {
    const { kind, handle, name: of } = who.party
    const { allowed } = await bus.rateLimit.hit(`ask-to-arm:${id}:${kind}:${handle}:${of}`, ASKS)
    if (!allowed) return
    await inTransaction(db, async (tx) => (await who.lock(tx))(`ask to arm device ${name}`, reason))
    deps.workspaces.notify(at)
  }

  async function carryOut(
    device: KnownDevice,
    channel: ChannelBinding,
    wish: CommandWish,
  ): Promise<CommandResult> {
    const { id, value, timeoutMs } = wish
    const deadline = clock.now().getTime() + timeoutMs
    const topic = `${device.topic}/${channel.commandTopic ?? ''}`
    const payload = writeCommand(channel, { id, value, deadline })
    if (!channel.isConfirming) {
      // Not confirmed by the broker: it may have happened.
      const isSent = await broker.publish(topic, payload).then(
        () => true,
        () => false,
      )
      return { id, status: isSent ? 'sent' : 'timeout', message: null }
    }
    const answers = pending.get(device.id) ?? new Map<string, Waiting>()
    pending.set(device.id, answers)
    let timer: NodeJS.Timeout | undefined
    let again: NodeJS.Timeout | undefined
    // Nobody may watch it on this node.
    using listening = live.listen(device, () => undefined)
    try {
      const answer = new Promise<Acknowledgement | undefined>((resolve) => {
        answers.set(id, resolve)
        timer = setTimeout(() => resolve(undefined), timeoutMs)
      })
      const isReady = await Promise.race([listening.isActive.then(() => true), answer.then(() => false)])
      // What the broker does not confirm may have reached the device all the same, so that its answer is waited for.
      if (isReady) await Promise.race([broker.publish(topic, payload).catch(() => undefined), answer])
      if (isReady && channel.isIdempotent)
        again = setTimeout(() => void broker.publish(topic, payload).catch(() => undefined), timeoutMs / 2)
      const ack = await answer
      return ack === undefined
        ? { id, status: 'timeout', message: null }
        : { id, status: ack.status, message: ack.message }
    } finally {
      clearTimeout(timer)
      clearTimeout(again)
      answers.delete(id)
      if (answers.size === 0) pending.delete(device.id)
    }
  }

  /** The same request came before: what became of it is the answer, when that is known. */
  async function repeated(device: KnownDevice, who: Admitted, wish: CommandWish): Promise<CommandResult> {
    const until = performance.now() + wish.timeoutMs
    for (;;) {
      const sent = await findCommand(db, device.id, wish.id)
      const isSame =
        sent !== undefined &&
        sent.handle === who.party.handle &&
        sent.channel === wish.channel &&
        isDeepStrictEqual(sent.value, wish.value)
      if (!isSame) throw new Problem('command_id_taken')
      const { status, message } = sent
      if (status !== null) return { id: wish.id, status, message }
      if (performance.now() >= until) return { id: wish.id, status: 'timeout', message: null }
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
    }
  }

  async function tell(devices: readonly KnownDevice[], isStop: boolean): Promise<number> {
    const told = await Promise.allSettled(
      devices.map(({ topic }) =>
        broker.publish(`${topic}/${STOP}`, JSON.stringify({ id: createSecret().slice(0, 16), stop: isStop })),
      ),
    )
    return told.filter(({ status }) => status === 'fulfilled').length
  }

  async function repeatTo(device: number | undefined): Promise<void> {
    if (!broker.isUp) return
    await inTransaction(db, async (tx) => {
      const stopped = await lockStopped(tx, device, MOST_TOLD)
      const payload = JSON.stringify({ id: createSecret().slice(0, 16), stop: true })
      await Promise.allSettled(
        stopped.map(({ name, ...at }) =>
          broker.publish(`${topicOf({ ...at, device: name })}/${STOP}`, payload),
        ),
      )
    })
  }

  function repeatStopTo(device: number): void {
    repeatTo(device).catch((err: unknown) =>
      log.warn({ err, device }, 'failed to tell a device that it is stopped, retrying'),
    )
  }

  return {
    send,
    repeatStops() {
      const repeat = async () => {
        if (live.isKeeper) await repeatTo(undefined)
      }
      const repeating = setInterval(
        () => void repeat().catch((err: unknown) => log.debug({ err }, 'failed to repeat stops')),
        REPEAT_STOPS_MS,
      ).unref()
      return { [Symbol.dispose]: () => clearInterval(repeating) }
    },
    repeatStopTo,
    repeatStopSoonTo(device) {
      for (const afterMs of TELL_AFTER_MS) setTimeout(() => repeatStopTo(device), afterMs).unref()
    },
    async stop(at, who, reason) {
      // Devices first: what is written down for people can wait for a database that is slow.
      const [told] = await Promise.all([
        listDevices(db, at, clock.now()).then((devices) => tell(devices, true)),
        inTransaction(db, async (tx) => {
          const note = await who.lock(tx)
          const before = await findStop(tx, at)
          await storeStop(tx, at, who.party, reason, clock.now())
          if (before === null) await note('emergency stop', reason)
        }),
      ])
      deps.workspaces.notify(at)
      return told
    },
    async release(at, who) {
      await inTransaction(db, async (tx) => {
        const note = await who.lock(tx)
        if (await deleteStop(tx, at)) await note('release emergency stop', undefined)
      })
      // Not before: of two workspaces that release at once, each would see the stop of the other.
      const devices = await listDevices(db, at, clock.now())
      const stopped = await listStopped(
        db,
        devices.map(({ id }) => id),
      )
      const released = devices.filter(({ id }) => !stopped.has(id))
      await tell(released, false)
      deps.workspaces.notify(at)
    },
  }
}

function requireChannel({ channels }: KnownDevice, { channel: name, value }: CommandWish): ChannelBinding {
  const channel = channels.find((each) => each.name === name)
  if (channel?.commandTopic == null || !channel.takesCommands) throw new Problem('channel_not_found')
  const fault = commandFault(channel, value)
  if (fault !== undefined) throw new Problem('command_invalid', { detail: fault })
  return channel
}

/** A script or an agent needs a person who has said for how long. */
function unarmedFor(
  { shown: { arming } }: KnownDevice,
  { isGuarded }: ChannelBinding,
  { party: { kind } }: Admitted,
): Problem | undefined {
  if (!isGuarded || (arming !== null && (kind === 'browser' || arming.isForAgents))) return undefined
  return kind === 'browser'
    ? new Problem('device_not_armed')
    : new Problem('device_not_armed', { detail: 'A person must arm this device for agents first.' })
}
