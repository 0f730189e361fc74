import type { IncomingHttpHeaders } from 'node:http'
import { PRESENCE_LIMITS, WORKSPACE_MESSAGE_BYTES } from '@patchbay/contracts/limits'
import { type BrowserMessage, WORKSPACE_SOCKET_PATH } from '@patchbay/contracts/panels'
import type { Endpoint, Peer } from '@patchbay/kernel/websocket'
import { partyOf } from '../access/action.ts'
import { isAllowed } from '../access/rights.store.ts'
import type { Channel, Page } from '../control.ts'
import type { Caller, PanelsDeps } from '../deps.ts'
import { readBrowserMessage } from './browser-message.ts'
import type { CodeQueue } from './code-queue.socket.ts'
import { pageIdOf } from './page-id.ts'
import type { Presence } from './presence.socket.ts'
import { findPanelOfTab } from './room.store.ts'
import { Connection, type Room } from './room.ts'
import type { RoomBroadcaster } from './room-broadcaster.socket.ts'
import type { RoomChanges } from './room-changes.socket.ts'
import type { Rooms } from './rooms.socket.ts'
import { refusedText } from './server-message.ts'
import type { SessionCheck } from './session-check.socket.ts'
import { Throttle } from './throttle.ts'
import { CONTROL_CAPS } from './timings.ts'

/** Two messages answer a command, and a script may send a great many of those. */
const RATE = { perSecond: 2_000, burst: 4_000 }
const LOOK_MS = 1_000

type Message<Kind extends BrowserMessage['type']> = Extract<BrowserMessage, { type: Kind }>

interface WorkspaceSocketDeps extends Pick<PanelsDeps, 'db' | 'access' | 'clock' | 'log'> {
  readonly rooms: Rooms
  readonly broadcaster: RoomBroadcaster
  readonly changes: RoomChanges
  readonly presence: Presence
  readonly queue: CodeQueue
  readonly sessions: SessionCheck
  readonly channels: ReadonlyMap<string, Channel>
  readonly openWithinMs: number
}

/** The connections of this node, from the handshake to the end. */
export class WorkspaceSocket {
  readonly #deps: WorkspaceSocketDeps
  /** Those without a workspace, the longest waiting first. */
  readonly #unopened = new Map<Connection, number>()
  /** Each look asks the database. */
  readonly #looks = new Throttle<Connection>(
    PRESENCE_LIMITS.lookPauseMs,
    (connection) => void this.#findLook(connection),
  )
  readonly #timer: NodeJS.Timeout
  #count = 0
  #size = 0

  constructor(deps: WorkspaceSocketDeps) {
    this.#deps = deps
    this.#timer = setInterval(() => this.#sendAwayIdle(), Math.min(LOOK_MS, deps.openWithinMs)).unref()
  }

  get size(): number {
    return this.#size
  }

  endpoint(): Endpoint<Connection> {
    return {
      path: WORKSPACE_SOCKET_PATH,
      maxMessageBytes: WORKSPACE_MESSAGE_BYTES,
      rate: RATE,
      authenticate: async ({ headers }) => {
        const caller = await this.#deps.access.requirePerson({ headers })
        this.#count += 1
        return new Connection(worthKeeping(headers), caller, this.#count)
      },
      onOpen: (peer) => this.#enter(peer),
      onMessage: (peer, text) => this.#receive(peer.data, text),
      onClose: (peer) => this.#leave(peer.data),
      onGoingAway: (peer) => this.#deps.presence.leave(peer.data),
    }
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #enter(peer: Peer<Connection>): void {
    const { data: connection } = peer
    connection.peer = peer
    this.#size += 1
    this.#unopened.set(connection, performance.now())
  }

  #sendAwayIdle(): void {
    const latest = performance.now() - this.#deps.openWithinMs
    for (const [{ peer }, since] of this.#unopened) {
      if (since > latest) return
      peer.end('nothing_opened')
    }
  }

  #receive(connection: Connection, text: string): Promise<void> | void {
    const parsed = readBrowserMessage(text)
    switch (parsed.is) {
      case 'unknown':
        return undefined
      case 'wrong':
        return this.#sendAway(connection)
      case 'invalid-change':
        connection.peer.offer(refusedText(parsed.id, 'invalid_message', 'The message is not as documented.'))
        return undefined
      case 'invalid-result':
        return connection.pending?.invalidResult(parsed.id)
      case 'message':
        return this.#take(connection, parsed.message, text.length)
      default:
        parsed satisfies never
    }
  }

  #take(connection: Connection, message: BrowserMessage, length: number): Promise<void> | void {
    const isFirst = connection.browserId === ''
    if (isFirst !== (message.type === 'open')) return this.#sendAway(connection)
    const { pending } = connection
    switch (message.type) {
      case 'open':
        connection.opening = Promise.withResolvers()
        return this.#open(connection, message)
      case 'attention':
        return this.#attend(connection, message)
      case 'look':
        connection.saidTab = message.tabId
        connection.following = message.following
        return this.#looks.run(connection)
      case 'ready':
        return this.#ready(connection, message)
      case 'change':
      case 'state':
        // A page that sends again what was not confirmed need not wait until it is let in.
        return connection.opening === undefined
          ? this.#deps.changes.take(connection, message, length)
          : connection.opening.promise.then(() => this.#deps.changes.take(connection, message, length))
      case 'channel':
        return connection.opening === undefined
          ? this.#pass(connection, message)
          : connection.opening.promise.then(() => this.#pass(connection, message))
      case 'taken':
        return pending?.taken(message.id)
      case 'done': {
        const { type: _, id, ...result } = message
        return pending?.done(id, result)
      }
      case 'failed': {
        const { type: _, id, ...failure } = message
        return pending?.failed(id, failure)
      }
      default:
        message satisfies never
    }
  }

  /** To another part of the product; of one that this server does not know, a newer page may speak. */
  async #pass(connection: Connection, { channel: name, message }: Message<'channel'>): Promise<void> {
    const { channels } = this.#deps
    const channel = channels.get(name)
    if (channel === undefined || !isIn(connection)) return
    connection.page ??= pageOf(connection)
    await channel.receive(connection.page, message)
  }

  #sendAway(connection: Connection): void {
    connection.peer.end('policy_violation')
    // Closing takes as long as the page takes to answer it, and nobody shall count on it meanwhile.
    void this.#deps.presence.leave(connection)
  }

  async #open(connection: Connection, message: Message<'open'>): Promise<void> {
    const { rooms, broadcaster, sessions } = this.#deps
    const { peer, caller } = connection
    const { owner, repo, browserId } = message
    connection.browserId = pageIdOf(caller.personId, browserId)
    connection.openedAt = this.#now()
    this.#look(connection, message, message.isVisible)
    this.#unopened.delete(connection)
    const [mayRead, mayChange] = await Promise.all([
      isAllowed(this.#deps, caller, 'workspace', { owner, repo }, 'read'),
      isAllowed(this.#deps, caller, 'workspace', { owner, repo }, 'write'),
    ])
    if (!mayRead) return peer.end('workspace_not_permitted')
    if (!peer.isOpen) return
    const room = rooms.open({ owner, repo })
    if (!hasRoomFor(room, caller)) return peer.end('too_many_connections')
    connection.mayChange = mayChange
    connection.room = room
    // In before anything is awaited: a room that looks empty is closed.
    room.joining = [...room.joining, connection]
    sessions.enter(connection)
    // Heard before it is read: whatever changes after the reading is then told.
    await rooms.listen(room)
    broadcaster.refresh(room)
  }

  #attend(connection: Connection, message: Message<'attention'>): void {
    this.#look(connection, message, message.isFocused && !connection.isFocused)
    if (isIn(connection)) this.#deps.presence.join(connection)
  }

  /** What others are told is a tab of this workspace, or none. */
  async #findLook(connection: Connection): Promise<void> {
    const { db, log, presence } = this.#deps
    // A page has `opened` a moment before it is let in.
    await connection.opening?.promise
    const { room, saidTab } = connection
    if (room === undefined || !isIn(connection)) return
    try {
      const isThere = saidTab !== null && (await findPanelOfTab(db, room.at, saidTab)) !== undefined
      // What it has said meanwhile is looked for after the pause.
      if (connection.saidTab !== saidTab) return
      connection.lookedTab = isThere ? saidTab : null
      if (isIn(connection)) presence.join(connection)
    } catch (err) {
      log.debug({ err }, 'failed to look for a tab, the next look will tell')
    }
  }

  #look(
    connection: Connection,
    { isVisible, isFocused, isSharing }: Omit<Message<'attention'>, 'type'>,
    isFocus: boolean,
  ): void {
    connection.isVisible = isVisible
    connection.isFocused = isFocused
    connection.isSharing = isSharing
    if (isFocus) connection.focusedAt = this.#now()
  }

  #ready(connection: Connection, { tabId, isReady }: Message<'ready'>): void {
    const others = connection.readyTabs.filter((each) => each !== tabId)
    if (isReady && others.length >= CONTROL_CAPS.readyTabs) return
    connection.readyTabs = isReady ? [...others, tabId] : others
    if (!isIn(connection)) return
    this.#deps.presence.join(connection)
    if (isReady) this.#deps.queue.runIfActing(connection, tabId)
  }

  async #leave(connection: Connection): Promise<void> {
    const { rooms, sessions, presence } = this.#deps
    const { room } = connection
    this.#size -= 1
    this.#unopened.delete(connection)
    sessions.leave(connection)
    connection.pending?.close()
    connection.opening?.resolve()
    if (connection.page !== undefined)
      for (const channel of this.#deps.channels.values()) channel.leave(connection.page)
    if (room === undefined) return
    room.joining = room.joining.filter((each) => each !== connection)
    room.connections = room.connections.filter((each) => each !== connection)
    await presence.leave(connection)
    rooms.closeIfEmpty(room)
  }

  #now(): number {
    return this.#deps.clock.now().getTime()
  }
}

/** Whether `opened` was sent to it: before that nobody counts on it. */
function isIn(connection: Connection): boolean {
  return connection.room?.connections.includes(connection) === true
}

/** More than a page that reads has waiting for it. */
const BUSY_BYTES = 65_536

function pageOf(connection: Connection): Page {
  const { room, browserId, caller, peer } = connection
  if (room === undefined) throw new Error('a page without a workspace')
  return {
    at: room.at,
    browserId,
    party: partyOf(caller),
    get mayChange() {
      return connection.mayChange
    },
    get isBusy() {
      return peer.bufferedAmount > BUSY_BYTES
    },
    send: (channel, message) => void peer.offer(JSON.stringify({ type: 'channel', channel, message })),
  }
}

function hasRoomFor({ connections, joining }: Room, { personId }: Caller): boolean {
  const all = [...connections, ...joining]
  const theirs = all.filter(({ caller }) => caller.personId === personId)
  return all.length < CONTROL_CAPS.connectionsOfRoom && theirs.length < CONTROL_CAPS.connectionsOfPerson
}

/** Headers that say nothing of who asks would be a kilobyte for every connection. */
const NOISE = /^(?:sec-|accept|user-agent$|upgrade$|connection$|pragma$|cache-control$|dnt$|priority$)/

function worthKeeping(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !NOISE.test(name)))
}
