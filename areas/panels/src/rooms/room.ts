import type { IncomingHttpHeaders } from 'node:http'
import type { BrowserMessage, WorkspaceRef } from '@patchbay/contracts/panels'
import type { Peer } from '@patchbay/kernel/websocket'
import type { Page } from '../control.ts'
import type { Caller } from '../deps.ts'
import type { PendingCommands } from './pending-commands.ts'
import { CONTROL_CAPS } from './timings.ts'

/** What the connections of a workspace have been told. */
export interface Seen {
  /** When the workspace was made: one that is made again under its name begins to count anew. */
  readonly madeAt: number
  readonly version: number
  readonly revision: number
  readonly action: number
  /** Moves when somebody may do more or less than before. */
  readonly members: number
}

export const NOTHING_SEEN: Seen = { madeAt: 0, version: -1, revision: 0, action: 0, members: 0 }

/** A change or state that was made, and that its page shall hear of. */
export interface Made {
  readonly id: string
  /** The version or revision that contains it. */
  readonly at: number
}

export type Change = Extract<BrowserMessage, { type: 'change' | 'state' }>

export interface QueuedChange {
  readonly connection: Connection
  readonly message: Change
  /** Of its text. */
  readonly length: number
  /** Called when it is over, for a page that is read from slowly. */
  readonly settle: (() => void) | undefined
}

/** One connection, and where on which node it is. */
export interface Place {
  readonly node: string
  readonly browserId: string
  /** Counts the connections of a node. */
  readonly connection: number
}

/** There may be very many: fields and shared lists, no closures. */
export class Connection {
  declare peer: Peer<Connection>
  readonly headers: IncomingHttpHeaders
  readonly caller: Caller
  readonly number: number
  room: Room | undefined = undefined
  /** Until `opened` was sent, or will never be. */
  opening: PromiseWithResolvers<void> | undefined = undefined
  browserId = ''
  mayChange = false
  isVisible = false
  isFocused = false
  isSharing = false
  focusedAt = 0
  openedAt = 0
  readyTabs: readonly string[] = []
  /** The tab that it said last, and the one that was found in the workspace: what others are told. */
  saidTab: string | null = null
  lookedTab: string | null = null
  /** The handle of the person whom it follows. */
  following: string | null = null
  /** The last `owner` that was sent. */
  told = -1
  /** The pages of the last `people` that was sent; all that were sent the same share the text. */
  toldPages = ''
  pending: PendingCommands | undefined = undefined
  waitingChanges = 0
  waitingLength = 0
  madeChanges: readonly Made[] = NONE_MADE
  madeStates: readonly Made[] = NONE_MADE
  /** By tab, the revision of the last state that it made on a `base`: what it sent next was made on that one. */
  basedRevisions: Map<string, number> | undefined = undefined
  /** As other parts of the product know it; made when it first speaks with one. */
  page: Page | undefined = undefined
  /** What it still has waiting is not made: it will send all of it again. */
  isBroken = false

  constructor(headers: IncomingHttpHeaders, caller: Caller, number: number) {
    this.headers = headers
    this.caller = caller
    this.number = number
  }

  /** Whether it has more changes waiting than it is read for: then its silence proves nothing. */
  get isCongested(): boolean {
    return (
      this.waitingChanges > CONTROL_CAPS.waitingChanges || this.waitingLength > CONTROL_CAPS.waitingLength
    )
  }
}

export const NONE_MADE: readonly Made[] = []

/** A browser's place in the room on the bus. The connection changes when the page reconnects. */
export class PresenceEntry {
  readonly room: Room
  readonly browserId: string
  connection: Connection | undefined = undefined
  /** What the bus has is not what is so. */
  isDue = false
  writing: Promise<void> | undefined = undefined

  constructor(room: Room, browserId: string) {
    this.room = room
    this.browserId = browserId
  }
}

/** A workspace that is open on this node. */
export class Room {
  readonly at: WorkspaceRef
  readonly key: string
  seen: Seen = NOTHING_SEEN
  joining: readonly Connection[] = []
  connections: readonly Connection[] = []
  entries: readonly PresenceEntry[] = []
  /** Settles when it hears of changes. */
  listening: Promise<void> | undefined = undefined
  watches: readonly AsyncDisposable[] = []
  /** `undefined` before it is known; `null`: nobody who is there may act. */
  acting: Place | null | undefined = undefined
  otherNodes: readonly string[] = []
  /** Who is there, as JSON for `people`. */
  pages = '[]'
  changes: QueuedChange[] | undefined = undefined
  isChanging = false

  constructor(at: WorkspaceRef, key: string) {
    this.at = at
    this.key = key
  }

  get isEmpty(): boolean {
    return this.connections.length === 0 && this.joining.length === 0 && this.entries.length === 0
  }
}

/** Without whatever else is known of who is there. */
export function placeOf({ node, browserId, connection }: Place): Place {
  return { node, browserId, connection }
}

export function isSamePlace(one: Place, other: Place): boolean {
  return one.connection === other.connection && one.browserId === other.browserId && one.node === other.node
}
