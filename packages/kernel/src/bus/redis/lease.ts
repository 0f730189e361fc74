import type { NodeId } from '../ports/bus.ts'
import type { RedisEngine } from './engine.ts'
import { CENSUS_KEY, leaseKey } from './keys.ts'

export interface LeaseOptions {
  readonly engine: RedisEngine
  readonly node: NodeId
  readonly leaseMs: number
  readonly heartbeatMs: number
  /** Whether this node can be reached; without that a lease would promise an answer that cannot come. */
  canHear(): boolean
  /** This node's live claims by directory. */
  counts(): ReadonlyMap<string, number>
  /** Runs after each beat; `lapsed`: for a time the other nodes have taken this one for dead. */
  onBeat(lapsed: boolean): void
  /** A beat was missed. */
  onMiss(reason: string): void
}

export interface Lease {
  /** Renews the lease now. Rejects when that is not possible. */
  renew(): Promise<void>
  isAlive(node: NodeId): Promise<boolean>
  countElsewhere(directory: string): Promise<number>
  /** Stops the beats and gives the lease up. */
  drop(): Promise<void>
}

/** The census outlives its last node by this long. */
const CENSUS_KEEP_MS = 3_600_000
/** Dead nodes leave the census when somebody counts; a node counts this often in any case. */
const CENSUS_EVERY_MS = 60_000

export function holdLease(options: LeaseOptions): Lease {
  const { engine, node, leaseMs, heartbeatMs } = options
  let dropped = false
  /** Kept until it is told: the other half of a beat may fail, and the next beat finds the lease in order. */
  let lapsed = false

  const renewLease = async () => {
    const before = await engine.ask((client) => client.set(leaseKey(node), '1', 'PX', leaseMs, 'GET'))
    lapsed ||= before === null
  }
  const announce = async () => {
    const counts = [...options.counts()].map(([name, count]) => `${name}=${count}`).join(' ')
    await engine.run('announce', CENSUS_KEY, node, leaseMs, counts, CENSUS_KEEP_MS)
  }
  const beat = async () => {
    await Promise.all([renewLease(), announce()])
    if (dropped) return
    options.onBeat(lapsed)
    lapsed = false
  }
  const census = async () => {
    const answer = await engine.run('census', CENSUS_KEY)
    return Array.isArray(answer) ? answer.map(String) : []
  }
  let beating: Promise<void> | undefined
  const renew = () => {
    beating ??= beat().finally(() => {
      beating = undefined
    })
    return beating
  }
  const heartbeat = setInterval(() => {
    if (options.canHear()) renew().catch((error: Error) => options.onMiss(reasonOf(error)))
    else options.onMiss('not subscribed')
  }, heartbeatMs)
  const housekeeping = setInterval(() => void census().catch(() => undefined), CENSUS_EVERY_MS)

  return {
    renew,
    async isAlive(other) {
      return (await engine.ask((client) => client.exists(leaseKey(other)))) === 1
    },
    async countElsewhere(directory) {
      const entries = await census()
      let total = 0
      for (let index = 0; index < entries.length; index += 2) {
        if (entries[index] !== node) total += countIn(entries[index + 1] ?? '', directory)
      }
      return total
    },
    async drop() {
      dropped = true
      clearInterval(heartbeat)
      clearInterval(housekeeping)
      await Promise.allSettled([
        engine.ask((client) => client.del(leaseKey(node))),
        engine.ask((client) => client.hdel(CENSUS_KEY, node)),
      ])
    },
  }
}

function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message
}

function countIn(counts: string, directory: string): number {
  const entry = counts.split(' ').find((part) => part.startsWith(`${directory}=`))
  return entry === undefined ? 0 : Number(entry.slice(directory.length + 1))
}
