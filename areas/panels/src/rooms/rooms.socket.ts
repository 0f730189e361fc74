import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { roomOf } from '../access/workspace.ts'
import type { PanelsDeps } from '../deps.ts'
import { Room } from './room.ts'

export interface RoomEvents {
  /** Something stored has changed. */
  readonly onChanged: (room: Room) => void
  /** Somebody came, went, or looks elsewhere. */
  readonly onPresence: (room: Room) => void
  /** The last one has left. */
  readonly onEmpty: (room: Room) => void
}

/** Names on the bus who is in a room, as opposed to what is stored. */
export function presenceKey(room: string): string {
  return `${room}:who`
}

/** The workspaces that are open on this node. */
export class Rooms {
  readonly #deps: Pick<PanelsDeps, 'bus' | 'log'>
  readonly #events: RoomEvents
  readonly #rooms = new Map<string, Room>()

  constructor(deps: Pick<PanelsDeps, 'bus' | 'log'>, events: RoomEvents) {
    this.#deps = deps
    this.#events = events
  }

  get size(): number {
    return this.#rooms.size
  }

  all(): Room[] {
    return [...this.#rooms.values()]
  }

  get(key: string): Room | undefined {
    return this.#rooms.get(key)
  }

  isOpen(room: Room): boolean {
    return this.#rooms.get(room.key) === room
  }

  open(at: WorkspaceRef): Room {
    const key = roomOf(at)
    const known = this.#rooms.get(key)
    if (known !== undefined) return known
    const room = new Room({ owner: at.owner, repo: at.repo }, key)
    this.#rooms.set(key, room)
    return room
  }

  closeIfEmpty(room: Room): void {
    if (!room.isEmpty || !this.isOpen(room)) return
    this.#rooms.delete(room.key)
    this.#events.onEmpty(room)
    void this.#dispose(room.watches)
  }

  /** What changes from now on is heard of. Without the bus nothing is, and the sweep tries again. */
  async listen(room: Room): Promise<void> {
    room.listening ??= this.#listen(room)
    await room.listening
  }

  async #listen(room: Room): Promise<void> {
    const { wakeups } = this.#deps.bus
    const watches = await Promise.allSettled([
      wakeups.watch(room.key, () => this.#events.onChanged(room)),
      wakeups.watch(presenceKey(room.key), () => this.#events.onPresence(room)),
    ])
    const heard = watches.flatMap((watch) => (watch.status === 'fulfilled' ? [watch.value] : []))
    const isComplete = heard.length === watches.length
    if (isComplete && this.isOpen(room)) {
      room.watches = heard
      return
    }
    room.listening = undefined
    await this.#dispose(heard)
    if (!isComplete) this.#deps.log.debug('failed to subscribe to workspace changes, relying on the sweep')
  }

  async stop(): Promise<void> {
    await Promise.all(this.all().map((room) => this.#dispose(room.watches)))
  }

  async #dispose(watches: readonly AsyncDisposable[]): Promise<void> {
    await Promise.allSettled(watches.map((watch) => watch[Symbol.asyncDispose]()))
  }
}
