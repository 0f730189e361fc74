import { Problem } from '@patchbay/contracts/core'
import type { LayoutChange, PanelStateOf } from '@patchbay/contracts/panels'
import { layoutChangeSchema, tabs } from '@patchbay/workspace-layout'
import { Compile } from 'typebox/compile'
import { findCatalogPanels } from '../catalog/catalog.store.ts'
import { requireReady } from '../catalog/catalog.ts'
import type { PanelsDeps } from '../deps.ts'
import { changeLayout } from '../workspaces/layout-change.store.ts'
import { patchPanelState, patchPanelStateOn } from '../workspaces/panel-state.store.ts'
import { checkPanelState } from '../workspaces/panel-state.ts'
import { findPanelOfTab } from './room.store.ts'
import type { Change, Connection, Room } from './room.ts'
import type { RoomBroadcaster } from './room-broadcaster.socket.ts'
import { refusedText } from './server-message.ts'

type ChangeOf<Kind extends Change['type']> = Extract<Change, { type: Kind }>

interface RoomChangesDeps extends Pick<PanelsDeps, 'db' | 'clock' | 'log'> {
  readonly broadcaster: RoomBroadcaster
  readonly notify: (room: Room) => void
}

/** Makes the changes that pages send, one at a time in each workspace. */
export class RoomChanges {
  readonly #deps: RoomChangesDeps

  constructor(deps: RoomChangesDeps) {
    this.#deps = deps
  }

  /** A page that has many waiting is answered with a promise, so that it is read from no faster than that. */
  take(connection: Connection, message: Change, length: number): Promise<void> | void {
    const { room } = connection
    if (room === undefined || connection.isBroken) return undefined
    connection.waitingChanges += 1
    connection.waitingLength += length
    const { promise, resolve } = connection.isCongested ? Promise.withResolvers<void>() : NOT_WAITED_FOR
    room.changes ??= []
    room.changes.push({ connection, message, length, settle: resolve })
    if (!room.isChanging) void this.#work(room)
    return promise
  }

  async #work(room: Room): Promise<void> {
    room.isChanging = true
    for (let next = room.changes?.shift(); next !== undefined; next = room.changes?.shift()) {
      const { connection, message, length, settle } = next
      if (!connection.isBroken) await this.#make(room, connection, message)
      connection.waitingChanges -= 1
      connection.waitingLength -= length
      settle?.()
    }
    room.changes = undefined
    room.isChanging = false
  }

  async #make(room: Room, connection: Connection, message: Change): Promise<void> {
    try {
      if (!connection.mayChange) throw new Problem('not_permitted')
      if (message.type === 'change') await this.#changeLayout(room, connection, message)
      else await this.#changeState(room, connection, message)
    } catch (error) {
      this.#fail(connection, message.id, error)
    }
  }

  async #changeLayout(
    room: Room,
    connection: Connection,
    { id, change, initialState }: ChangeOf<'change'>,
  ): Promise<void> {
    const { db, clock, broadcaster } = this.#deps
    const fault = faultOfChange(change)
    if (fault !== undefined) return refuse(connection, id, 'invalid_change', fault)
    const panels = await findCatalogPanels(db, change.type === 'addTab' ? [change.tab.panel] : [])
    if (change.type === 'addTab') {
      const panel = requireReady(panels.get(change.tab.panel))
      const wrong = initialState && checkPanelState(panel.kind, initialState)
      if (wrong !== undefined) return refuse(connection, id, 'invalid_state', wrong)
    }
    const made = await changeLayout(db, room.at, [change], {
      rules: { isSingleton: (panel) => panels.get(panel)?.singleton ?? false },
      now: clock.now(),
      ...(initialState === undefined ? {} : { initialState }),
    })
    if (made.outcome === 'refused') return refuse(connection, id, made.refusal.code, made.refusal.message)
    if (made.outcome === 'no_workspace' || made.outcome === 'outdated') return broadcaster.refresh(room)
    // What a new tab shows must come with it, and only a broadcaster has both.
    const isAlone = initialState === undefined
    broadcaster.confirmChange(connection, id, made.version, isAlone ? made.layout : undefined)
    if (made.outcome === 'changed') this.#deps.notify(room)
  }

  async #changeState(
    room: Room,
    connection: Connection,
    { id, tabId, patch, base }: ChangeOf<'state'>,
  ): Promise<void> {
    const { db, clock, broadcaster } = this.#deps
    const panelId = await findPanelOfTab(db, room.at, tabId)
    if (panelId === undefined) return refuse(connection, id, 'no_such_tab', NO_SUCH_TAB)
    const panel = (await findCatalogPanels(db, [panelId])).get(panelId)
    if (panel === undefined) throw new Problem('panel_type_not_found')
    const wrong = checkPanelState(panel.kind, patch)
    if (wrong !== undefined) return refuse(connection, id, 'invalid_state', wrong)
    const own = connection.basedRevisions?.get(tabId)
    const made =
      base === undefined
        ? await patchPanelState(db, room.at, { tabId, patch }, clock.now())
        : await patchPanelStateOn(db, room.at, { base, own }, { tabId, patch }, clock.now())
    if (made === undefined) return refuse(connection, id, 'no_such_tab', NO_SUCH_TAB)
    if ('newer' in made) return refuse(connection, id, 'state_changed', STATE_CHANGED, made.newer)
    if (base !== undefined) {
      connection.basedRevisions ??= new Map()
      connection.basedRevisions.set(tabId, made.revision)
    }
    broadcaster.confirmState(connection, id, made.revision, JSON.stringify(made))
    this.#deps.notify(room)
  }

  #fail(connection: Connection, id: string, error: unknown): void {
    const problem = error instanceof Problem ? error : new Problem('internal_error', { cause: error })
    if (problem.status === 503) {
      connection.isBroken = true
      connection.peer.end('internal_error')
      return
    }
    if (problem.status >= 500) this.#deps.log.error({ err: error }, 'failed to apply change')
    refuse(connection, id, problem.code, problem.message)
  }
}

const NO_SUCH_TAB = 'This tab no longer exists.'
const STATE_CHANGED = 'Someone else has changed this panel.'
const NOT_WAITED_FOR = { promise: undefined, resolve: undefined }

function refuse({ peer }: Connection, id: string, code: string, message: string, shown?: PanelStateOf): void {
  peer.offer(refusedText(id, code, message, shown))
}

const isChange = Compile(layoutChangeSchema)

/** What is wrong with a change from the network, in words; `undefined` if nothing is. */
function faultOfChange(change: LayoutChange): string | undefined {
  // Without the version that was read, it would overwrite what others have changed since.
  if (change.type === 'replace' && change.expected === undefined)
    return 'A whole layout is replaced over HTTP, with the version that was read.'
  if (!isChange.Check(change)) return 'The change is not as documented.'
  if (change.type !== 'replace' || change.expected === undefined) return undefined
  // Only what is added by itself is compared with the catalog.
  const known = new Map(tabs(change.expected).map(({ id, panel }) => [id, panel]))
  return tabs(change.layout).every(({ id, panel }) => known.get(id) === panel)
    ? undefined
    : 'A layout that is replaced over the socket holds no tab that was not there.'
}
