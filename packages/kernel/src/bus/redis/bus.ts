import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../clock/index.ts'
import type { Log, Secret } from '../../log/index.ts'
import type { Tracing } from '../../tracing/index.ts'
import type { Bus, NodeId, RateLimit } from '../ports/bus.ts'
import { unavailable } from '../ports/errors.ts'
import { paceOf, toMicroseconds, verdictOf } from '../ports/gcra.ts'
import { checkNodeId } from '../ports/names.ts'
import { redisChannel } from './channel.ts'
import { redisDelivery } from './delivery.ts'
import { redisDirectories } from './directory.ts'
import { type EngineOptions, openCluster, openRedis, type RedisEngine } from './engine.ts'
import { nodeChannelName, rateKey } from './keys.ts'
import { holdLease } from './lease.ts'
import { PendingRequests } from './pending-requests.ts'
import { redisPresence } from './presence.ts'
import {
  openShardedSubscriber,
  openSubscriber,
  type Subscriber,
  type SubscriberEvents,
} from './subscriber.ts'
import { parseRedisUrl, type RedisTarget } from './url.ts'
import { redisWakeups } from './wakeups.ts'

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
  readonly tracing?: Tracing | undefined
}

/** Returns as soon as the bus is usable, or after one command timeout without: it then connects when Redis is there. */
export async function createRedisBus(options: RedisBusOptions): Promise<Bus> {
  const { url, node, clock, log, ca, tracing } = options
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
    { commandTimeoutMs, maxInFlight, log, ca, tracing },
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
  const requests = new PendingRequests(maxOutstandingSends)
  const delivery = redisDelivery({
    engine,
    node,
    requests,
    log,
    tracing,
    onTaken: (directory, key, epoch) => directories.drop(directory, key, epoch),
  })
  const directories = redisDirectories({
    engine,
    node,
    clock,
    delivery,
    countElsewhere: (name) => lease.countElsewhere(name),
  })
  const channel = redisChannel({ engine, node, requests, delivery, log, tracing })
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

interface RedisConnections {
  readonly engine: RedisEngine
  readonly subscriber: Subscriber
}

/** One connection for commands and one for subscriptions, or one of each per master. */
function openConnections(
  target: RedisTarget,
  options: EngineOptions,
  events: SubscriberEvents,
): RedisConnections {
  if (target.kind === 'cluster') {
    const { cluster, engine } = openCluster(target, options)
    return { engine, subscriber: openShardedSubscriber(target, cluster, options, events) }
  }
  return { engine: openRedis(target, options), subscriber: openSubscriber(target, options, events) }
}

/** Redis forgets a key this long after it has become meaningless, in case its time runs ahead of the clock's. */
const COLLECT_AFTER_MS = 10_000

function redisRateLimit(engine: RedisEngine, clock: Clock): RateLimit {
  return {
    async hit(key, rule) {
      const pace = paceOf(rule)
      const now = toMicroseconds(clock.now())
      const answer = await engine.run('hit', rateKey(key), now, pace.interval, pace.burst, COLLECT_AFTER_MS)
      if (!Array.isArray(answer)) throw unavailable('Redis did not answer with a verdict')
      return verdictOf({ allowed: answer[0] === 1, fullAt: Number(answer[1]) }, now, pace)
    },
  }
}

/** Writes again what the engine may have lost: once for any number of reasons, and again after a failure. */
class Recovery {
  readonly #restore: () => Promise<void>
  #needed = false
  #running = false

  constructor(restore: () => Promise<void>) {
    this.#restore = restore
  }

  need(): void {
    this.#needed = true
  }

  async attempt(): Promise<void> {
    if (!this.#needed || this.#running) return
    this.#needed = false
    this.#running = true
    try {
      await this.#restore()
    } catch {
      this.#needed = true
    } finally {
      this.#running = false
    }
  }
}
