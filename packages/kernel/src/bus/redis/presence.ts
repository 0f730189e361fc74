import { compareMembers, type Member, type NodeId, type Presence } from '../ports/bus.ts'
import type { RedisEngine } from './engine.ts'
import { roomKey } from './keys.ts'

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
  const local = new LocalMembers()
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
    if (!local.isOwed(key, id)) return
    await engine.ask((client) => client.hdel(key, fieldOf(id)))
    local.settle(key, id)
  }

  return {
    async join(room, id, info) {
      const key = roomKey(room)
      local.put(key, id, info)
      try {
        await enter(key, [[id, info]])
      } catch (error) {
        // It may have been written all the same.
        local.remove(key, id)
        throw error
      }
    },
    async leave(room, id) {
      const key = roomKey(room)
      local.remove(key, id)
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
      await inBatches(local.rooms(), (key) => enter(key, local.members(key)))
    },
    async upkeep() {
      await inBatches(local.owed().slice(0, RESTORE_BATCH), ({ room, id }) => exit(room, id))
      const beats = REFRESH_ROUND_MS / heartbeatMs
      const rooms = local.nextRooms(Math.ceil(local.roomCount / beats))
      await Promise.all(rooms.map((key) => enter(key, local.members(key))))
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

/** More than a node can have had in flight when the engine broke down. */
const MAX_OWED = 100_000

interface Place {
  readonly room: string
  readonly id: string
}

/** The members that one node has in its rooms, and the ones that it still has to take out of the engine. */
class LocalMembers {
  readonly #rooms = new Map<string, Map<string, string>>()
  readonly #owed = new Map<string, Place>()
  #cursor = this.#rooms.keys()

  get roomCount(): number {
    return this.#rooms.size
  }

  put(room: string, id: string, info: string): void {
    this.settle(room, id)
    const members = this.#rooms.get(room) ?? new Map<string, string>()
    this.#rooms.set(room, members.set(id, info))
  }

  /** The member is not there, but the engine may show it until that is settled. */
  remove(room: string, id: string): void {
    const members = this.#rooms.get(room)
    members?.delete(id)
    if (members?.size === 0) this.#rooms.delete(room)
    this.#owed.set(placeKey(room, id), { room, id })
    if (this.#owed.size > MAX_OWED)
      for (const oldest of this.#owed.keys()) return void this.#owed.delete(oldest)
  }

  settle(room: string, id: string): void {
    this.#owed.delete(placeKey(room, id))
  }

  isOwed(room: string, id: string): boolean {
    return this.#owed.has(placeKey(room, id))
  }

  owed(): readonly Place[] {
    return [...this.#owed.values()]
  }

  members(room: string): ReadonlyMap<string, string> {
    return this.#rooms.get(room) ?? new Map()
  }

  rooms(): readonly string[] {
    return [...this.#rooms.keys()]
  }

  /** The next rooms in turn: who asks again and again gets round to all of them. */
  nextRooms(count: number): readonly string[] {
    const rooms: string[] = []
    while (rooms.length < Math.min(count, this.#rooms.size)) {
      const next = this.#cursor.next()
      if (next.done === true) this.#cursor = this.#rooms.keys()
      else rooms.push(next.value)
    }
    return rooms
  }
}

function placeKey(room: string, id: string): string {
  return `${room} ${id}`
}
