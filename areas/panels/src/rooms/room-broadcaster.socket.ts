import { setTimeout as sleep } from 'node:timers/promises'
import type { Layout } from '@patchbay/contracts/panels'
import { Semaphore } from '@patchbay/primitives/async'
import type { PanelsDeps } from '../deps.ts'
import { readStandings, readUpdate, type Update } from './room.store.ts'
import { type Connection, type Made, NONE_MADE, NOTHING_SEEN, type Room } from './room.ts'
import type { Rooms } from './rooms.socket.ts'
import {
  actedText,
  changedText,
  layoutText,
  openedText,
  statesInParts,
  statesText,
} from './server-message.ts'

/** Rooms that are read side by side: everybody is woken when the bus comes back. */
const AT_ONCE = 8
/** As many as a workspace can have states, sixteen at a time, and then some that changed meanwhile. */
const MOST_PARTS = 64
const SWEEP_BATCH = 500
/** Larger messages wait until they are taken: several of them would pass for a reader that is slow. */
const LARGE = 64 * 1024
const TAKEN_WITHIN_MS = 10_000

interface RoomBroadcasterDeps extends Pick<PanelsDeps, 'db' | 'log'> {
  readonly rooms: () => Rooms
  readonly onOpened: (connection: Connection) => void
  /** It is being closed: nobody shall count on it from now on. */
  readonly onEnd: (connection: Connection) => void
  /** Something has changed that no wake-up told: code may have been queued as well. */
  readonly onMissed: (room: Room) => void
  /** Some may do more than before, or less, or have to go. */
  readonly onMembers: (room: Room) => void
}

/** Tells the connections of each room what is new, and newcomers all there is. */
export class RoomBroadcaster {
  readonly #deps: RoomBroadcasterDeps
  /** One at a time for each room, or a page could be told an older state after a newer one. */
  readonly #reads = new Semaphore<Room>({ total: AT_ONCE, perKey: 1 })
  /** Rooms that are to be read (again), however often that was asked for. */
  readonly #due = new Set<Room>()
  #isSweeping = false

  constructor(deps: RoomBroadcasterDeps) {
    this.#deps = deps
  }

  /** Something may have changed, or somebody waits to be let in. */
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
  }

  /** A page's change was made. Without the layout, it is read with whatever else has changed. */
  confirmChange(connection: Connection, id: string, version: number, layout?: Layout): void {
    const { room } = connection
    if (room === undefined) return
    const { seen } = room
    // Only the very next version, while nobody reads: otherwise a page could be told a version older than it has.
    const isNext = version === seen.version || version === seen.version + 1
    if (layout === undefined || !isNext || this.#isPending(room)) {
      connection.madeChanges = [...connection.madeChanges, { id, at: version }]
      this.refresh(room)
      return
    }
    const text = layoutText(layout)
    const forOthers = version === seen.version ? undefined : changedText(version, text, [])
    room.seen = { ...seen, version }
    for (const each of room.connections) {
      if (each === connection) each.peer.offer(changedText(version, text, [id]))
      else if (forOthers !== undefined) each.peer.offer(forOthers)
    }
  }

  /** What a page wanted to show is stored. */
  confirmState(connection: Connection, id: string, revision: number, state: string): void {
    const { room } = connection
    if (room === undefined) return
    if (this.#isPending(room) || revision !== room.seen.revision + 1) {
      connection.madeStates = [...connection.madeStates, { id, at: revision }]
      this.refresh(room)
      return
    }
    room.seen = { ...room.seen, revision, action: revision }
    const forOthers = statesText(`[${state}]`, [])
    for (const each of room.connections)
      each.peer.offer(each === connection ? statesText(`[${state}]`, [id]) : forOthers)
  }

  /** Finds what no wake-up told. */
  async sweep(): Promise<void> {
    if (this.#isSweeping) return
    this.#isSweeping = true
    const rooms = this.#deps.rooms()
    try {
      const all = rooms.all()
      for (let start = 0; start < all.length; start += SWEEP_BATCH) {
        const batch = all.slice(start, start + SWEEP_BATCH)
        await this.#sweepBatch(batch)
        await Promise.all(batch.map((room) => rooms.listen(room)))
      }
    } catch (err) {
      this.#deps.log.warn({ err }, 'workspace sweep failed, retrying')
    } finally {
      this.#isSweeping = false
    }
  }

  async #sweepBatch(batch: readonly Room[]): Promise<void> {
    const standings = await readStandings(
      this.#deps.db,
      batch.map(({ at }) => at),
    )
    const byName = new Map(standings.map((standing) => [`${standing.owner}/${standing.repo}`, standing]))
    for (const room of batch) {
      const standing = byName.get(`${room.at.owner}/${room.at.repo}`)
      const isAsTold =
        standing?.madeAt === room.seen.madeAt &&
        standing.version === room.seen.version &&
        standing.revision === room.seen.revision &&
        standing.revision === room.seen.action
      // A confirmation whose reading failed waits although nothing is new.
      const isOwed = room.connections.some(
        (each) => each.madeChanges !== NONE_MADE || each.madeStates !== NONE_MADE,
      )
      if (!isAsTold && !this.#isPending(room)) this.#deps.onMissed(room)
      if (!isAsTold || isOwed || room.joining.length > 0) this.refresh(room)
    }
  }

  /** Whether it is being read, or still to be. */
  #isPending(room: Room): boolean {
    return this.#due.has(room) || this.#reads.isHeldBy(room)
  }

  async #read(room: Room): Promise<void> {
    const { log } = this.#deps
    try {
      if (room.connections.length > 0) await this.#update(room)
      if (room.joining.length > 0) await this.#admit(room)
    } catch (err) {
      log.warn({ err }, 'failed to read workspace')
      // Those that are in are told by the next sweep; whoever waits to get in knocks again.
      for (const { peer } of room.joining) peer.end('internal_error')
    }
  }

  async #update(room: Room): Promise<void> {
    for (let part = 0; part < MOST_PARTS; part += 1) {
      const owesLayout = room.connections.some(({ madeChanges }) => madeChanges.length > 0)
      const seen = owesLayout ? { ...room.seen, version: NOTHING_SEEN.version } : room.seen
      const update = await readUpdate(this.#deps.db, room.at, seen)
      if (update === undefined) return this.#end(room)
      if (update.seen.madeAt !== room.seen.madeAt) return this.#endThoseIn(room)
      const isNewer = update.seen.version > room.seen.version
      const isAboutMembers = update.seen.members !== room.seen.members
      room.seen = update.seen
      if (isAboutMembers) this.#deps.onMembers(room)
      await this.#tell(room.connections, update, isNewer)
      if (update.isWhole) return
    }
  }

  /** All there is, for those who have just come. */
  async #admit(room: Room): Promise<void> {
    const { db } = this.#deps
    const newcomers = room.joining
    const first = await readUpdate(db, room.at, NOTHING_SEEN)
    if (first === undefined || first.layout === null) return this.#end(room)
    const layout = layoutText(first.layout)
    const [states = '[]', ...more] = statesInParts(first.states)
    const { version } = first.seen
    for (const mayChange of [true, false]) {
      const which = newcomers.filter((connection) => connection.mayChange === mayChange)
      if (which.length === 0) continue
      await pass(which, openedText({ version, layout, states, actions: first.actions, mayChange }))
      for (const part of more) await pass(which, statesText(part, []))
    }
    let last = first
    for (let part = 0; part < MOST_PARTS && !last.isWhole; part += 1) {
      const update = await readUpdate(db, room.at, last.seen)
      if (update === undefined) return this.#end(room)
      await this.#tell(newcomers, update, update.layout !== null)
      last = update
    }
    this.#letIn(room, newcomers, last)
  }

  #letIn(room: Room, newcomers: readonly Connection[], { seen }: Update): void {
    room.joining = room.joining.filter((connection) => !newcomers.includes(connection))
    const open = newcomers.filter(({ peer }) => peer.isOpen)
    if (room.connections.length === 0) room.seen = seen
    else if (seen.version !== room.seen.version || seen.revision !== room.seen.revision) this.refresh(room)
    room.connections = [...room.connections, ...open]
    for (const connection of open) {
      connection.opening?.resolve()
      connection.opening = undefined
      this.#deps.onOpened(connection)
    }
  }

  async #tell(connections: readonly Connection[], update: Update, isNewer: boolean): Promise<void> {
    const { seen, layout } = update
    if (layout !== null) {
      const text = layoutText(layout)
      const forOthers = isNewer ? changedText(seen.version, text, []) : undefined
      for (const connection of connections) {
        const ids = takeMade(connection, 'madeChanges', seen.version)
        if (ids.length > 0) connection.peer.offer(changedText(seen.version, text, ids))
        else if (forOthers !== undefined) connection.peer.offer(forOthers)
      }
    }
    for (const part of statesInParts(update.states)) await pass(connections, statesText(part, []))
    for (const connection of connections) {
      const ids = takeMade(connection, 'madeStates', seen.revision)
      if (ids.length > 0) connection.peer.offer(statesText('[]', ids))
    }
    if (update.actions.length > 0) await pass(connections, actedText(update.actions))
  }

  #end(room: Room): void {
    for (const { peer } of room.joining) peer.end('workspace_gone')
    this.#endThoseIn(room)
  }

  /** What they show and what they still want to change is of a workspace that is no more. */
  #endThoseIn(room: Room): void {
    for (const connection of room.connections) {
      connection.isBroken = true
      connection.peer.end('workspace_gone')
      this.#deps.onEnd(connection)
    }
    // Whoever opens the one that was made in its place must not be taken for one of them.
    room.connections = []
  }
}

/** The ids of what is contained in what is told now. */
function takeMade(
  connection: Connection,
  what: 'madeChanges' | 'madeStates',
  upTo: number,
): readonly string[] {
  const made = connection[what]
  if (made.length === 0) return []
  const isTold = ({ at }: Made) => at <= upTo
  const rest = made.filter((each) => !isTold(each))
  connection[what] = rest.length === 0 ? NONE_MADE : rest
  return made.filter(isTold).map(({ id }) => id)
}

async function pass(connections: readonly Connection[], text: string): Promise<void> {
  if (text.length < LARGE) {
    for (const { peer } of connections) peer.offer(text)
    return
  }
  await Promise.all(
    connections.map(async ({ peer }) => {
      const timer = new AbortController()
      const late = sleep(TAKEN_WITHIN_MS, true, { signal: timer.signal, ref: false }).catch(() => false)
      if (await Promise.race([peer.send(text).then(() => false), late])) peer.drop('slow_consumer')
      timer.abort()
    }),
  )
}
