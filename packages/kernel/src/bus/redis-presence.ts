import { compareMembers } from './member-order.ts'
import type { Member, NodeId, Presence } from './ports.ts'
import { PresenceRoster } from './presence-roster.ts'
import type { RedisEngine } from './redis-engine.ts'
import { roomKey } from './redis-keys.ts'

export interface PresenceDeps {
  readonly engine: RedisEngine
  readonly node: NodeId
  readonly heartbeatMs: number
  readonly isAlive: (node: NodeId) => Promise<boolean>
}

export interface RedisPresence extends Presence {
  /** Writes this node's members again, after Redis or another node may have dropped them. */
  restore(): Promise<void>
  /**
   * Takes out members whose leaving failed, and keeps a few rooms from expiring. Called at each heartbeat,
   * it gets round to all of them in time.
   */
  upkeep(): Promise<void>
}

/** A room that no node refreshes vanishes after this long. */
const ROOM_MS = 3_600_000
const REFRESH_ROUND_MS = ROOM_MS / 4
const RESTORE_BATCH = 250
/** Lua cannot unpack arbitrarily many arguments. */
const FIELDS_PER_CALL = 500

export function redisPresence({ engine, node, heartbeatMs, isAlive }: PresenceDeps): RedisPresence {
  const roster = new PresenceRoster()
  /** Grows with each restoration, so that an eviction decided on what was seen before does not hit what is written after. */
  let generation = 0

  const fieldOf = (id: string) => `${node} ${id}`
  const enter = async (key: string, members: Iterable<readonly [id: string, info: string]>) => {
    const pairs = [...members].map(([id, info]) => [fieldOf(id), `${generation.toString(36)} ${info}`])
    for (let start = 0; start < pairs.length; start += FIELDS_PER_CALL) {
      await engine.run('enter', key, ROOM_MS, ...pairs.slice(start, start + FIELDS_PER_CALL).flat())
    }
  }
  const exit = async (key: string, id: string) => {
    if (!roster.isOwed(key, id)) return
    await engine.ask((client) => client.hdel(key, fieldOf(id)))
    roster.settle(key, id)
  }

  return {
    async join(room, id, info) {
      const key = roomKey(room)
      roster.put(key, id, info)
      try {
        await enter(key, [[id, info]])
      } catch (error) {
        // It may have been written all the same.
        roster.remove(key, id)
        throw error
      }
    },
    async leave(room, id) {
      const key = roomKey(room)
      roster.remove(key, id)
      await exit(key, id)
    },
    async members(room) {
      const key = roomKey(room)
      const entries = Object.entries(await engine.ask((client) => client.hgetall(key)))
      const seen = entries.map(([field, value]) => ({ field, value, member: readMember(field, value) }))
      const nodes = [...new Set(seen.map(({ member }) => member.node))]
      const states = await Promise.all(
        nodes.map(async (id) => [id, id === node || (await isAlive(id))] as const),
      )
      const alive = new Set(states.filter(([, isUp]) => isUp).map(([id]) => id))
      const stale = seen.filter(({ member }) => !alive.has(member.node)).slice(0, FIELDS_PER_CALL)
      if (stale.length > 0)
        await engine.run('evict', key, ...stale.flatMap(({ field, value }) => [field, value]))
      return seen
        .map(({ member }) => member)
        .filter((member) => alive.has(member.node))
        .toSorted(compareMembers)
    },
    async restore() {
      generation += 1
      await inBatches(roster.rooms(), (key) => enter(key, roster.members(key)))
    },
    async upkeep() {
      await inBatches(roster.owed().slice(0, RESTORE_BATCH), ({ room, id }) => exit(room, id))
      const beats = REFRESH_ROUND_MS / heartbeatMs
      const rooms = roster.nextRooms(Math.ceil(roster.roomCount / beats))
      await Promise.all(rooms.map((key) => enter(key, roster.members(key))))
    },
  }
}

async function inBatches<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += RESTORE_BATCH) {
    await Promise.all(items.slice(start, start + RESTORE_BATCH).map(work))
  }
}

function readMember(field: string, value: string): Member {
  const space = field.indexOf(' ')
  return {
    id: field.slice(space + 1),
    node: field.slice(0, space),
    info: value.slice(value.indexOf(' ') + 1),
  }
}
