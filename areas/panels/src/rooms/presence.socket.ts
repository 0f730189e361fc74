import { setTimeout as sleep } from 'node:timers/promises'
import { PRESENCE_LIMITS } from '@patchbay/contracts/limits'
import { Semaphore } from '@patchbay/primitives/async'
import type { PanelsDeps } from '../deps.ts'
import type { NodeWatch } from './node-watch.store.ts'
import {
  actingOf,
  inOrder,
  isNewer,
  type PresentBrowser,
  pagesOf,
  readMember,
  writeInfo,
} from './present-browser.ts'
import { type Connection, isSamePlace, type Place, PresenceEntry, placeOf, type Room } from './room.ts'
import { presenceKey, type Rooms } from './rooms.socket.ts'
import { ownerText, peopleText } from './server-message.ts'
import { Throttle } from './throttle.ts'

const AT_ONCE = 32
/** Between two writes about one browser. */
const PAUSE_MS = 50

interface PresenceDeps extends Pick<PanelsDeps, 'bus' | 'log'> {
  readonly rooms: () => Rooms
  readonly nodes: () => NodeWatch
  /** A browser of this node is the one that acts from now on. */
  readonly onActing: (connection: Connection) => void
}

/** Who is in each room, over all nodes, and which of them acts. */
export class Presence {
  readonly #deps: PresenceDeps
  /** One at a time for each room, or an older list of who is there could replace a newer one. */
  readonly #reads = new Semaphore<Room>({ total: AT_ONCE, perKey: 1 })
  /** Rooms that are to be read (again), however often that was asked for. */
  readonly #due = new Set<Room>()
  readonly #writing = new Set<Promise<void>>()
  /** Somebody who turns one tab after the other must not have every page drawn anew for each. */
  readonly #lists = new Throttle<Room>(PRESENCE_LIMITS.listPauseMs, (room) => tellPeople(room))

  constructor(deps: PresenceDeps) {
    this.#deps = deps
  }

  refresh(room: Room): void {
    if (room.isEmpty || this.#due.has(room)) return
    this.#due.add(room)
    const read = async () => {
      // What is asked for from now on needs another read.
      if (this.#due.delete(room)) await this.#read(room)
    }
    void this.#reads.run(read, { key: room })
  }

  forget(room: Room): void {
    this.#due.delete(room)
    this.#setOtherNodes(room, [])
  }

  /** The one that acts, if this node knows and nothing says otherwise. */
  actingIn(room: Room): Place | null | undefined {
    return this.#isPending(room) ? undefined : room.acting
  }

  async list(key: string): Promise<PresentBrowser[]> {
    const members = await this.#deps.bus.presence.members(key)
    return inOrder(members.flatMap((member) => readMember(member) ?? []))
  }

  placeHere({ browserId, number }: Connection): Place {
    return { node: this.#deps.bus.node, browserId, connection: number }
  }

  /** It has opened the workspace, or something that others should know of it has changed. */
  join(connection: Connection): void {
    const { room, browserId } = connection
    if (room === undefined || !connection.peer.isOpen) return
    const entry =
      room.entries.find((each) => each.browserId === browserId) ?? new PresenceEntry(room, browserId)
    const { connection: before } = entry
    if (before !== undefined && before !== connection) {
      if (isNewer(this.#openedOf(before), this.#openedOf(connection))) return
      // The page has reconnected before the old connection was known to be dead.
      before.peer.end('normal')
    }
    if (!room.entries.includes(entry)) room.entries = [...room.entries, entry]
    entry.connection = connection
    this.#write(entry)
  }

  /** Settles once the other nodes know, or the bus has failed to tell them. */
  async leave(connection: Connection): Promise<void> {
    const entry = connection.room?.entries.find((each) => each.connection === connection)
    if (entry === undefined) return
    entry.connection = undefined
    this.#write(entry)
    await entry.writing
  }

  /** Whoever has given this node up would otherwise look for its browsers again at the next sweep only. */
  announceAgain(room: Room): void {
    for (const entry of room.entries) this.#write(entry)
    this.refresh(room)
  }

  /** What the bus did not take. */
  retry(room: Room): void {
    for (const entry of room.entries) if (entry.isDue) this.#write(entry)
  }

  async stop(): Promise<void> {
    const rooms = this.#deps.rooms().all()
    await Promise.allSettled(
      rooms.flatMap(({ connections }) => connections.map((connection) => this.leave(connection))),
    )
    await Promise.allSettled(this.#writing)
  }

  #write(entry: PresenceEntry): void {
    entry.isDue = true
    if (entry.writing !== undefined) return
    const writing = this.#writeWhileDue(entry).then((isWritten) => {
      entry.writing = undefined
      this.#writing.delete(writing)
      const { room } = entry
      // It may have become due again after the last look at it.
      if (isWritten && entry.isDue) return this.#write(entry)
      if (entry.connection === undefined) room.entries = room.entries.filter((each) => each !== entry)
      this.#deps.rooms().closeIfEmpty(room)
    })
    entry.writing = writing
    this.#writing.add(writing)
  }

  /** One write at a time: a later one that overtook an earlier would leave a ghost. */
  async #writeWhileDue(entry: PresenceEntry): Promise<boolean> {
    const { bus, log } = this.#deps
    const { room, browserId } = entry
    try {
      while (entry.isDue) {
        entry.isDue = false
        if (entry.connection === undefined) await bus.presence.leave(room.key, browserId)
        else await bus.presence.join(room.key, browserId, writeInfo(entry.connection))
        await bus.wakeups.notify(presenceKey(room.key))
        // A page that changes its mind all the time must not keep every node busy.
        if (entry.isDue && entry.connection !== undefined) await sleep(PAUSE_MS)
      }
      return true
    } catch (err) {
      log.debug({ err }, 'failed to publish presence, retrying on the next sweep')
      entry.isDue = true
      this.refresh(room)
      return false
    }
  }

  /** Whether it is being read, or still to be. */
  #isPending(room: Room): boolean {
    return this.#due.has(room) || this.#reads.isHeldBy(room)
  }

  async #read(room: Room): Promise<void> {
    const { nodes, log } = this.#deps
    try {
      const listed = await this.list(room.key)
      if (!this.#deps.rooms().isOpen(room)) return
      this.#setOtherNodes(
        room,
        listed.map(({ node }) => node),
      )
      this.#settle(
        room,
        listed.filter(({ node }) => !nodes().isSilent(node)),
      )
    } catch (err) {
      log.debug({ err }, 'failed to read presence, retrying')
      room.acting = undefined
    }
  }

  #settle(room: Room, present: readonly PresentBrowser[]): void {
    const acting = actingOf(present) ?? null
    const before = room.acting
    room.acting = acting && placeOf(acting)
    const newest = new Map(present.map((one) => [one.browserId, one]))
    for (const connection of room.connections) {
      const other = newest.get(connection.browserId)
      if (other !== undefined && isNewer(other, this.#openedOf(connection))) connection.peer.end('normal')
      else this.#tell(connection, room.acting, present.length)
    }
    room.pages = JSON.stringify(pagesOf(present))
    this.#lists.run(room)
    if (room.acting === null || (before && isSamePlace(before, room.acting))) return
    const ours = this.findHere(room, room.acting)
    if (ours !== undefined) this.#deps.onActing(ours)
  }

  /** The connection of this node that is in this place. */
  findHere(room: Room, { node, browserId, connection }: Place): Connection | undefined {
    if (node !== this.#deps.bus.node) return undefined
    return room.connections.find((each) => each.number === connection && each.browserId === browserId)
  }

  #tell(connection: Connection, acting: Place | null, browsers: number): void {
    const isYou = acting !== null && isSamePlace(acting, this.placeHere(connection))
    const told = browsers * 2 + (isYou ? 1 : 0)
    if (connection.told === told) return
    connection.told = told
    connection.peer.offer(ownerText(isYou, browsers))
  }

  #openedOf({ openedAt, number }: Connection) {
    return { openedAt, node: this.#deps.bus.node, connection: number }
  }

  #setOtherNodes(room: Room, nodes: readonly string[]): void {
    const watch = this.#deps.nodes()
    const others = [...new Set(nodes)].filter((node) => node !== this.#deps.bus.node)
    for (const node of others) watch.hold(node)
    for (const node of room.otherNodes) watch.release(node)
    room.otherNodes = others.length === 0 ? NO_NODES : others
  }
}

function tellPeople({ connections, pages }: Room): void {
  for (const connection of connections) {
    if (connection.toldPages === pages) continue
    connection.toldPages = pages
    connection.peer.offer(peopleText(connection.browserId, pages))
  }
}

const NO_NODES: readonly string[] = []
