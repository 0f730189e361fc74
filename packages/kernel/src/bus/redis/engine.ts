import { Cluster, Redis } from 'ioredis'
import type { Log } from '../../log/index.ts'
import type { Step, Tracing } from '../../tracing/index.ts'
import { unavailable } from '../ports/errors.ts'
import { type ConnectionTuning, clusterOptions, connectionOptions } from './connection-options.ts'
import { type ScriptName, scripts } from './scripts.ts'
import type { ClusterTarget, RedisTarget } from './url.ts'

export interface EngineOptions extends ConnectionTuning {
  readonly maxInFlight: number
  readonly log?: Log | undefined
  readonly tracing?: Tracing | undefined
}

/** How often a cluster that lacks a master is asked again who its masters are. */
const REPAIR_MS = 250

export function openRedis(target: RedisTarget, options: EngineOptions): RedisEngine {
  const client = new Redis({ ...connectionOptions(target, options), scripts: definitions(false) })
  observe(client, options.log)
  return engineOf(client, false, options, {
    isWhole: () => client.status === 'ready',
    servers: () => [client],
    onConnect: (listener) => void client.on('ready', listener),
    close: () => client.disconnect(),
  })
}

export function openCluster(
  target: ClusterTarget,
  options: EngineOptions,
): { readonly engine: RedisEngine; readonly cluster: Cluster } {
  const startupNodes = target.nodes.map((node) => ({ ...node }))
  const cluster = new Cluster(startupNodes, {
    ...clusterOptions(target, options),
    scripts: definitions(true),
  })
  observe(cluster, options.log)
  let owners = new Set<string>()
  cluster.on('refresh', () => {
    owners = slotOwners(cluster)
  })
  const isWhole = () => {
    const ready = new Set(cluster.nodes('master').filter(isReady).map(addressOf))
    return cluster.status === 'ready' && owners.size > 0 && owners.isSubsetOf(ready)
  }
  // A master that was lost is dropped from the driver's pool, and only a refresh puts it back.
  const repair = setInterval(() => {
    if (cluster.status === 'ready' && !isWhole()) cluster.refreshSlotsCache()
  }, REPAIR_MS)
  const engine = engineOf(cluster, true, options, {
    isWhole,
    servers: () => cluster.nodes('master'),
    onConnect: (listener) => void cluster.on('+node', (node: Redis) => void node.on('ready', listener)),
    close() {
      clearInterval(repair)
      cluster.disconnect()
    },
  })
  return { engine, cluster }
}

/** The addresses (`host:port`) of the masters that hold at least one slot. */
export function slotOwners(cluster: Cluster): Set<string> {
  return new Set(cluster.slots.flatMap((addresses) => addresses.slice(0, 1)))
}

function isReady(node: Redis): boolean {
  return node.status === 'ready'
}

function addressOf({ options: { host, port } }: Redis): string {
  return `${host}:${port}`
}

function engineOf(
  client: Redis | Cluster,
  sharded: boolean,
  { maxInFlight, tracing }: EngineOptions,
  rest: Pick<RedisEngine, 'isWhole' | 'onConnect' | 'close'> & { servers(): readonly Redis[] },
): RedisEngine {
  const gate = new Gate(maxInFlight)
  const pass = <Answer>(name: string, command: () => Promise<Answer>): Promise<Answer> =>
    tracing === undefined
      ? gate.pass(command)
      : tracing.step(
          () => redisStep(name),
          () => gate.pass(command),
        )
  return {
    isWhole: rest.isWhole,
    onConnect: rest.onConnect,
    close() {
      gate.close()
      rest.close()
    },
    sharded,
    run: (script, key, ...args) => pass(script, () => runScript(client, script, [key, ...args])),
    runOn: (script, keys, args) =>
      pass(script, () => runScript(client, script, [keys.length, ...keys, ...args])),
    async ping() {
      if (!rest.isWhole()) throw unavailable('not every server is connected')
      await gate.pass(() => Promise.all(rest.servers().map((server) => server.ping())))
    },
    ask: (command) => pass('command', () => command(client)),
    async publish(channel, message) {
      await pass('publish', () =>
        sharded ? client.spublish(channel, message) : client.publish(channel, message),
      )
    },
  }
}

/** Scripts and channels by kind: keys name rooms, people's handles and registrations. */
const redisStep = (name: string): Step => ({
  name: `redis ${name}`,
  kind: 'client',
  attributes: { 'db.system.name': 'redis', 'db.operation.name': name },
})

/** The driver sends a script once per connection and names it by its digest from then on. */
function runScript(
  client: Redis | Cluster,
  script: ScriptName,
  args: readonly (string | number)[],
): Promise<unknown> {
  const command: unknown = Reflect.get(client, commandName(script))
  if (typeof command !== 'function') return Promise.reject(new TypeError(`script ${script} is not defined`))
  return Reflect.apply(command, client, args)
}

/** Prefixed, so that no Redis command of that name is shadowed. */
function commandName(script: string): string {
  return `pb_${script}`
}

function definitions(sharded: boolean): Record<string, { lua: string; numberOfKeys?: number }> {
  const entries = Object.entries(scripts(sharded))
  return Object.fromEntries(
    entries.map(([name, lua]) => [
      commandName(name),
      // Without a number, the first argument says how many keys follow.
      name === 'deliver' ? { lua } : { lua, numberOfKeys: 1 },
    ]),
  )
}

/** Without a listener the driver prints errors itself. Each is also the rejection of some call, or is retried. */
export function observe(client: Redis | Cluster, log: Log | undefined): void {
  client.on('error', (error: Error) => log?.debug({ reason: error.message }, 'bus connection error'))
}

/** How the ports talk to Redis, whatever form it has. Every failure is `Problem('bus_unavailable')`. */
export interface RedisEngine {
  /** Whether channels belong to slots: publish with SPUBLISH, subscribe with SSUBSCRIBE on the slot's master. */
  readonly sharded: boolean
  /** Runs a script on its one key. */
  run(script: ScriptName, key: string, ...args: readonly (string | number)[]): Promise<unknown>
  /** Runs a script on any number of keys, which must be on one server. */
  runOn(script: ScriptName, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>
  ask<Answer>(command: (client: Redis | Cluster) => Promise<Answer>): Promise<Answer>
  publish(channel: string, message: string): Promise<void>
  /** Resolves when every server that holds a part of the data answers. */
  ping(): Promise<void>
  /** Whether every server that holds a part of the data is connected. */
  isWhole(): boolean
  /** Called whenever a server is connected anew: it may have lost what it knew. */
  onConnect(listener: () => void): void
  close(): void
}

/** Counts what is under way and turns every failure into the one problem. */
class Gate {
  readonly #limit: number
  #underWay = 0
  #closed = false

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Without `async`: every command passes here, and each of its steps costs a turn of the microtask queue. */
  pass<Answer>(command: () => Promise<Answer>): Promise<Answer> {
    if (this.#closed) return Promise.reject(unavailable())
    // A server that answers slower than calls arrive would fill the memory with waiting commands.
    if (this.#underWay >= this.#limit) return Promise.reject(unavailable('too many commands are under way'))
    this.#underWay += 1
    return command().then(
      (answer) => {
        this.#underWay -= 1
        return answer
      },
      (error: unknown) => {
        this.#underWay -= 1
        throw unavailable(error)
      },
    )
  }

  close(): void {
    this.#closed = true
  }
}
