/** More than a node can have had in flight when the engine broke down. */
const MAX_OWED = 100_000

interface Place {
  readonly room: string
  readonly id: string
}

/** The members that one node has in its rooms, and the ones that it still has to take out of the engine. */
export class PresenceRoster {
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
