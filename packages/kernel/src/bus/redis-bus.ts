import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../clock/index.ts'
import type { Log, Secret } from '../log/index.ts'
import { checkNodeId } from './node-id.ts'
import type { Bus, NodeId } from './ports.ts'
import { redisChannel } from './redis-channel.ts'
import { openConnections } from './redis-connections.ts'
import { redisDelivery } from './redis-delivery.ts'
import { redisDirectories } from './redis-directories.ts'
import { nodeChannelName } from './redis-keys.ts'
import { holdLease } from './redis-lease.ts'
import { redisPresence } from './redis-presence.ts'
import { Questions } from './redis-questions.ts'
import { redisRateLimit } from './redis-rate-limit.ts'
import { Recovery } from './redis-recovery.ts'
import { parseRedisUrl } from './redis-url.ts'
import { redisWakeups } from './redis-wakeups.ts'
import { unavailable } from './unavailable.ts'

export interface RedisBusOptions {
  /** See `parseRedisUrl`. */
  readonly url: string | Secret
  readonly node: NodeId
  readonly clock: Clock
  readonly log?: Log
  readonly commandTimeoutMs?: number
  readonly leaseMs?: number
  readonly heartbeatMs?: number
  /** Messages of this node that wait for an answer at the same time. */
  readonly maxOutstandingSends?: number
  /** Commands under way at the same time. */
  readonly maxInFlight?: number
  /** PEM certificates of a private authority, for `rediss…` URLs. */
  readonly ca?: string
}

/** Returns as soon as the bus is usable, or after one command timeout without: it then connects when Redis is there. */
export async function createRedisBus(options: RedisBusOptions): Promise<Bus> {
  const { url, node, clock, log, ca } = options
  const { commandTimeoutMs = 1_000, leaseMs = 2_000, heartbeatMs = 500 } = options
  const { maxOutstandingSends = 10_000, maxInFlight = 20_000 } = options
  checkNodeId(node)
  const target = parseRedisUrl(typeof url === 'string' ? url : url.reveal())
  const ownChannel = nodeChannelName(node)
  const canHear = () => subscriber.hears(ownChannel)
  const renew = () => {
    if (canHear()) lease.renew().catch(() => undefined)
  }

  const { engine, subscriber } = openConnections(
    target,
    { commandTimeoutMs, maxInFlight, log, ca },
    {
      onMessage(name, message) {
        if (name === ownChannel) channel.receive(message)
        else wakeups.wake([name])
      },
      onRestored(channels) {
        wakeups.wake(channels)
        renew()
      },
    },
  )
  let held = false
  const note = (reachable: boolean, reason?: string) => {
    if (held === reachable) return
    held = reachable
    if (reachable) log?.info('bus reachable')
    else log?.warn({ reason }, 'bus unreachable')
  }
  const isUp = () => engine.isWhole() && subscriber.isWhole() && canHear() && held
  const lease = holdLease({
    engine,
    node,
    leaseMs,
    heartbeatMs,
    canHear,
    counts: () => directories.counts(),
    onBeat(lapsed) {
      note(true)
      if (lapsed) recovery.need()
      if (engine.isWhole()) void recovery.attempt()
      presence.upkeep().catch(() => undefined)
    },
    onMiss: (reason) => note(false, reason),
  })
  const isAlive = (other: NodeId) => lease.isAlive(other)
  const questions = new Questions(maxOutstandingSends)
  const delivery = redisDelivery({
    engine,
    node,
    questions,
    log,
    onTaken: (directory, key, epoch) => directories.drop(directory, key, epoch),
  })
  const directories = redisDirectories({
    engine,
    node,
    clock,
    delivery,
    countElsewhere: (name) => lease.countElsewhere(name),
  })
  const channel = redisChannel({ engine, node, questions, delivery, log, isAlive })
  const wakeups = redisWakeups(engine, subscriber)
  const presence = redisPresence({ engine, node, heartbeatMs, isAlive })
  const recovery = new Recovery(async () => {
    await presence.restore()
    await directories.restore()
  })
  engine.onConnect(() => {
    recovery.need()
    renew()
  })
  subscriber.keep(ownChannel)

  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= (async () => {
      channel.close()
      wakeups.close()
      await lease.drop()
      subscriber.close()
      engine.close()
    })()
    return closing
  }

  const patience = performance.now() + commandTimeoutMs
  while (!isUp() && performance.now() < patience) await sleep(5)
  if (!isUp()) log?.warn('bus not reachable yet')
  return {
    node,
    channel,
    wakeups,
    presence,
    rateLimit: redisRateLimit(engine, clock),
    directory: (name, lifetimes) => directories.open(name, lifetimes),
    async ping() {
      if (closing !== undefined) throw unavailable()
      if (!subscriber.isWhole() || !canHear()) throw unavailable('not subscribed')
      // A server can answer and still refuse to write: the lease shows that it does not.
      await Promise.all([engine.ping(), lease.renew()])
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
