import type { CallInput } from '@patchbay/contracts/core'
import type {
  AddedTab,
  Capture,
  CatalogPanel,
  ClosedTab,
  CurrentTab,
  CurrentWorkspace,
  EvalOutcome,
  Layout,
  SplitDirection,
  WorkspaceRef,
  WorkspaceSummary,
  WorkspaceTemplateId,
} from '@patchbay/contracts/panels'
import { newUuid } from '../new-uuid.ts'
import { openBoards, type WorkspaceBoards } from './boards.ts'
import { type CatalogFilter, listPanels } from './catalog.ts'
import type { Connection } from './connection.ts'
import { openDevices, type WorkspaceDevices } from './devices.ts'
import { openFiles, type WorkspaceFiles } from './files.ts'
import { findTab, type WantedTab } from './find-tab.ts'
import { openInvitations, openMembers, type WorkspaceInvitations, type WorkspaceMembers } from './members.ts'
import { type PanelTarget, type Reason, reasonOf } from './panel-target.ts'
import { openRecordings, type WorkspaceRecordings } from './recordings.ts'
import {
  ADD_SPLIT,
  ADD_TAB,
  CHANGE_TAB,
  CLOSE_TAB,
  CLOSED_TABS,
  MAKE,
  REMOVE,
  REOPEN_TAB,
  REPLACE,
  RESIZE,
  SHOW,
} from './routes.ts'
import { awaitOutcome, openSandbox, type Sandbox } from './sandbox.ts'
import {
  fetchPicture,
  type Picture,
  type ScreenshotOptions,
  takePicture,
  takeScreenshot,
} from './screenshots.ts'
import { openWebview, type Webview } from './webview.ts'

export interface MakeOptions {
  /** The panels and files that a new workspace begins with; none unless given. */
  readonly template?: WorkspaceTemplateId | undefined
}

export interface NewTab extends Reason {
  /** The leaf; the first one unless given, or with `split` the border of the workspace. */
  readonly panelId?: string | undefined
  /** The name of the panel unless given. */
  readonly title?: string | undefined
  readonly icon?: string | undefined
  /** What it shows from the beginning, such as `{ url }` of a web view. */
  readonly initialState?: Readonly<Record<string, unknown>> | undefined
  /** Whether it comes to the front, as it does unless told otherwise. */
  readonly activate?: boolean | undefined
  /** Named by the caller, so that a call whose answer got lost can be repeated; made here unless given. */
  readonly tabId?: string | undefined
}

export interface TabPlace {
  readonly panelId?: string | undefined
  readonly index?: number | undefined
  /** Into a new leaf at this side of `panelId`, or of the workspace. */
  readonly direction?: SplitDirection | undefined
}

/** One workspace, asked as one key or session. Every failure is a `Problem`, an `UnexpectedResponse` or `Unanswered`. */
export interface Workspace extends WorkspaceRef {
  /** What it holds; needs the scope `files:read` or `files:write`. */
  readonly files: WorkspaceFiles
  /**
   * To look at them needs the scope `devices:read`, to command or stop them `devices:command`, and to add, remove or grant
   * them `workspace`.
   */
  readonly devices: WorkspaceDevices
  /** What devices have sent: its numbers, every recorded value, and files of them. The scopes are those of devices. */
  readonly recordings: WorkspaceRecordings
  /** KiCad on its schematics and boards; needs the scope `files:read`, and to change a schematic `files:write`. */
  readonly boards: WorkspaceBoards
  /** Who was let in. */
  readonly members: WorkspaceMembers
  /** Links that let people in. */
  readonly invitations: WorkspaceInvitations
  /** The layout, its tabs, what they show, and how many browsers have it open. */
  current(): Promise<CurrentWorkspace>
  /** Makes it unless it is there. */
  make(options?: MakeOptions): Promise<WorkspaceSummary & { readonly isNew: boolean }>
  remove(): Promise<void>
  /** The panels that it can hold: ours, and those that its owner has added. */
  catalog(filter?: Omit<CatalogFilter, 'owner'>): Promise<CatalogPanel[]>
  /** The one tab that fits; `undefined` when none does, or several do. */
  findTab(wanted: WantedTab): Promise<CurrentTab | undefined>
  /** `panel` is a kind, such as `webview`, or the id of a panel of the catalog. */
  addTab(panel: string, options?: NewTab): Promise<AddedTab>
  /** Adds it in a new leaf at a side of `panelId`, or of the workspace. */
  split(direction: SplitDirection, panel: string, options?: NewTab): Promise<AddedTab>
  activateTab(tabId: string, why?: Reason): Promise<number>
  renameTab(tabId: string, title: string, options?: Reason & { readonly icon?: string }): Promise<number>
  moveTab(tabId: string, to: TabPlace, why?: Reason): Promise<number>
  /** What it showed is kept for 30 days. */
  closeTab(tabId: string): Promise<void>
  /** The last closed first. */
  closedTabs(): Promise<ClosedTab[]>
  /** With what it showed, as near as possible to where it was. */
  reopenTab(tabId: string, why?: Reason): Promise<AddedTab>
  /** In any unit; answers the version of the layout, as all changes do. */
  resizeSplit(splitId: string, sizes: readonly number[], why?: Reason): Promise<number>
  /** Refused with `layout_changed` unless the layout still has this version. */
  replaceLayout(version: number, layout: Layout): Promise<number>
  webview(target: PanelTarget): Webview
  sandbox(target: PanelTarget): Sandbox
  /** What became of code that was queued; waits for it if asked to. */
  evaluation(id: string, options?: { readonly waitMs?: number }): Promise<EvalOutcome>
  screenshot(options: ScreenshotOptions): Promise<Capture>
  screenshotPng(options: ScreenshotOptions): Promise<Picture>
  fetchScreenshot(id: string): Promise<Uint8Array<ArrayBuffer>>
}

const MADE = 201

type TabChange = CallInput<typeof CHANGE_TAB>['body']

export function openWorkspace(connection: Connection, { owner, repo }: WorkspaceRef): Workspace {
  const params = { owner, repo }
  const current = async () => (await connection.ask(SHOW, { params }, { isRepeatable: true })).body
  const change = async (tabId: string, body: TabChange) => {
    const asked = { params: { ...params, tabId }, body }
    return (await connection.ask(CHANGE_TAB, asked, { isRepeatable: true })).body.version
  }
  return {
    owner,
    repo,
    files: openFiles(connection, params),
    devices: openDevices(connection, params),
    boards: openBoards(connection, params),
    recordings: openRecordings(connection, params),
    members: openMembers(connection, params),
    invitations: openInvitations(connection, params),
    current,
    async make({ template } = {}) {
      const asked = template === undefined ? { params } : { params, body: { template } }
      const { status, body } = await connection.ask(MAKE, asked, { isRepeatable: true })
      return { ...body, isNew: status === MADE }
    },
    async remove() {
      await connection.ask(REMOVE, { params })
    },
    catalog: (filter = {}) => listPanels(connection, { ...filter, owner }),
    findTab: async (wanted) => findTab(await current(), wanted),
    async addTab(panel, options = {}) {
      const body = newTabOf(panel, options, connection)
      return (await connection.ask(ADD_TAB, { params, body }, { isRepeatable: true })).body
    },
    async split(direction, panel, options = {}) {
      const body = { ...newTabOf(panel, options, connection), direction }
      return (await connection.ask(ADD_SPLIT, { params, body }, { isRepeatable: true })).body
    },
    activateTab: (tabId, why) => change(tabId, { isActive: true, ...reasonOf(why) }),
    renameTab: (tabId, title, { icon, ...why } = {}) =>
      change(tabId, { displayName: title, ...given({ displayIcon: icon }), ...reasonOf(why) }),
    moveTab: (tabId, to, why) => change(tabId, { moveTo: given(to), ...reasonOf(why) }),
    async closeTab(tabId) {
      await connection.ask(CLOSE_TAB, { params: { ...params, tabId } })
    },
    async closedTabs() {
      return (await connection.ask(CLOSED_TABS, { params }, { isRepeatable: true })).body.items
    },
    async reopenTab(tabId, why) {
      const asked = { params: { ...params, tabId }, body: reasonOf(why) }
      return (await connection.ask(REOPEN_TAB, asked, { isRepeatable: true })).body
    },
    async resizeSplit(splitId, sizes, why) {
      const body = { sizes: [...sizes], ...reasonOf(why) }
      const asked = { params: { ...params, splitId }, body }
      return (await connection.ask(RESIZE, asked, { isRepeatable: true })).body.version
    },
    async replaceLayout(version, layout) {
      return (await connection.ask(REPLACE, { params, body: { version, layout } })).body.version
    },
    webview: (target) => openWebview(connection, params, target),
    sandbox: (target) => openSandbox(connection, params, target),
    evaluation: (id, { waitMs = 0 } = {}) => awaitOutcome(connection, params, { id }, waitMs),
    screenshot: (options) => takeScreenshot(connection, params, options),
    screenshotPng: (options) => takePicture(connection, params, options),
    fetchScreenshot: (id) => fetchPicture(connection, params, id),
  }
}

function newTabOf(panelType: string, options: NewTab, { surroundings }: Connection) {
  const { title, icon, tabId = newUuid(surroundings), panelId, initialState, activate, reason } = options
  return {
    panelType,
    tabId,
    ...given({ panelId, displayName: title, displayIcon: icon, activate, reason }),
    ...(initialState === undefined ? {} : { initialState: { ...initialState } }),
  }
}

/** Without what is `undefined`: the contract knows no such value. */
function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
