import {
  DEVICES_CHANNEL,
  type DevicesNews,
  type DevicesRequest,
  type LatestValue,
} from '@patchbay/contracts/devices'
import type { CatalogPanel } from '@patchbay/contracts/panels'
import { createElement, StrictMode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { createValueStore } from '../../../src/parts/value-store.ts'
import { SessionProvider } from '../../../src/session/session-context.tsx'
import type {
  BasedOn,
  FilePlace,
  HostNews,
  LogEntry,
  LogStore,
  PanelHandlers,
  PanelHost,
  PanelProps,
  PanelState,
} from '../../../src/workspace/panel-definition.ts'
import { PANELS } from '../../../src/workspace/panels/panels.ts'
import { createReplay } from '../../../src/workspace/replay.ts'

export interface Mounting {
  readonly kind: string
  readonly state?: PanelState
  readonly title?: string
  readonly mayChange?: boolean
  readonly url?: string
  /** False for one behind another tab. */
  readonly isActive?: boolean
  /** What the open panels beside it show, by their kinds. */
  readonly beside?: Readonly<Record<string, PanelState>>
  /** Whether what the panel stores comes back to it, as it does from the server. */
  readonly isStoring?: boolean
}

/** What a test does with the one panel of the page. */
export interface PanelBench {
  mount(mounting: Mounting): Promise<void>
  unmount(): void
  /** As the server tells it, after somebody else changed something. */
  patch(patch: PanelState): number
  /** As when somebody gives its tab another name. */
  rename(title: string): void
  /** What the panel has stored so far, one patch after the other. */
  readonly stored: PanelState[]
  /** What the panel wants in tabs of their own. */
  readonly copies: PanelState[]
  /** What it wants open beside it: the kind of panel, and keys of its state. */
  readonly opened: PanelState[]
  /** What it has set in the panels beside it: their kind, and keys of their state. */
  readonly pointed: PanelState[]
  /** As the connection tells it. */
  tell(news: HostNews): void
  /** Shows a moment of the past in panels of devices; without one, the present. */
  seek(at?: number): void
  /** What it offers to put there. */
  readonly offered: PanelState[]
  state(): PanelState
  log(entry: Omit<LogEntry, 'at'>): void
  logged(): readonly LogEntry[]
  shows(revision: number): Promise<void>
}

declare global {
  var bench: PanelBench
}

const TAB_ID = '0b8f6c1e-4a57-4c8e-9a3d-1f2e3d4c5b6a'
const root: Root = createRoot(document.querySelector('#root') ?? document.body)
const handlers = new Map<string, PanelHandlers>()
const stored: PanelState[] = []
const copies: PanelState[] = []
const offered: PanelState[] = []
const opened: PanelState[] = []
const pointed: PanelState[] = []
const followers = new Set<(news: HostNews) => void>()
/** Not answered until somebody else has changed something. */
let held: BasedOn[] = []
/** Of what somebody else has changed last. */
let outside = 0
let render = () => {}
let shownTitle = ''
let state: PanelState = {}
let revision = 0
let mounted = 0
let beside: Readonly<Record<string, PanelState>> = {}

const deviceListeners = new Set<(message: unknown) => void>()
let watching: ReturnType<typeof setInterval> | undefined
const VALUES_EVERY_MS = 200

const log = makeLogBook()
const host: PanelHost = {
  workspace: { owner: 'ada', repo: 'rover' },
  pageId: 'this-page',
  newId: () => crypto.randomUUID(),
  log,
  offer(tabId, given) {
    handlers.set(tabId, given)
    return () => void handlers.delete(tabId)
  },
  setReady() {},
  mayChange: () => true,
  csrfToken: () => 'csrf-of-the-bench',
  say(channel, message) {
    if (channel === DEVICES_CHANNEL) watchDevices(message as DevicesRequest)
  },
  hear(channel, listener) {
    if (channel === DEVICES_CHANNEL) deviceListeners.add(listener)
    return () => deviceListeners.delete(listener)
  },
  openPanel(_tabId, kind, given) {
    opened.push({ kind, ...(typeof given === 'function' ? given({}) : given) })
    return true
  },
  patchPanels(_tabId, kinds, given) {
    for (const [kind, shown] of Object.entries(beside)) {
      const patch = kinds.includes(kind) ? given(shown) : undefined
      if (patch !== undefined) pointed.push({ kind, ...patch })
    }
  },
  follow(listener) {
    followers.add(listener)
    return () => followers.delete(listener)
  },
  replay: createReplay(() => Date.now()),
  fileToShow: createValueStore<string | undefined>(undefined),
  placeToShow: createValueStore<FilePlace | undefined>(undefined),
  findInFiles() {},
}

/** What the connection of a workspace does: the values of what is watched, as the tests' server has them. */
function watchDevices({ channels }: DevicesRequest): void {
  clearInterval(watching)
  const devices = [...new Set(channels.map(({ device }) => device))]
  const tell = async (device: string) => {
    const answer = await fetch(`/api/workspaces/editor/ada/rover/devices/${device}`)
    const { values } = (await answer.json()) as { values: LatestValue[] }
    const wanted = new Set(channels.flatMap((each) => (each.device === device ? [each.channel] : [])))
    const news: DevicesNews = {
      type: 'values',
      values: values
        .filter(({ channel }) => wanted.has(channel))
        .map(({ channel, value, at }) => ({ device, channel, value, at: Date.parse(at) })),
    }
    for (const listener of deviceListeners) listener(news)
  }
  const tellAll = () => {
    for (const device of devices) void tell(device)
  }
  tellAll()
  if (devices.length > 0) watching = setInterval(tellAll, VALUES_EVERY_MS)
}

function apply(patch: PanelState): number {
  const kept = Object.entries({ ...state, ...patch }).filter(([, value]) => value !== null)
  state = Object.fromEntries(kept)
  revision += 1
  render()
  return revision
}

function settle({ revision: base, onAnswer }: BasedOn, patch: PanelState): void {
  const isOutdated = base < outside
  if (!isOutdated) apply(patch)
  onAnswer({ outcome: isOutdated ? 'outdated' : 'stored', shown: { state, revision } })
}

globalThis.bench = {
  stored,
  copies,
  offered,
  opened,
  pointed,
  tell(news) {
    for (const follower of followers) follower(news)
  },
  seek(at) {
    if (at === undefined) host.replay.goLive()
    else host.replay.seek(at)
  },
  state: () => state,
  patch(patch) {
    outside = apply(patch)
    for (const on of held.splice(0)) settle(on, {})
    return outside
  },
  rename(title) {
    shownTitle = title
    render()
  },
  log: (entry) => log.add(entry),
  logged: () => log.entries(),
  shows: async (wanted) => await handlers.get(TAB_ID)?.shows?.(wanted),
  unmount: () => root.render(null),
  async mount({
    kind,
    title = 'Bench',
    mayChange = true,
    isActive = true,
    isStoring = true,
    url,
    ...mounting
  }) {
    const definition = PANELS.find((panel) => panel.kind === kind)
    if (definition === undefined) throw new Error(`no panel of kind ${kind}`)
    const Panel = await definition.load()
    shownTitle = title
    state = mounting.state ?? {}
    revision = 0
    outside = 0
    stored.length = 0
    copies.length = 0
    offered.length = 0
    opened.length = 0
    pointed.length = 0
    beside = mounting.beside ?? {}
    held = []
    host.replay.goLive()
    log.clear()
    const own = (mounted += 1)
    const setState: PanelProps['setState'] = (patch, on) => {
      // What the panel before this one stores while it is closed is no news of this one.
      if (own !== mounted) return
      stored.push(patch)
      const make = () => (on === undefined ? apply(patch) : settle(on, patch))
      // Later, as from a server: a panel that counts on it at once would break.
      if (isStoring) setTimeout(() => own === mounted && make(), 20)
      else if (on !== undefined) held.push(on)
    }
    const openCopy = (copied: PanelState) => copies.push(copied) > 0
    const offerCopy = (copied: PanelState) => {
      offered.push(copied)
      return () => void offered.splice(offered.indexOf(copied), 1)
    }
    const panel = { ...CATALOG_PANEL, kind, ...(url === undefined ? {} : { url }) }
    render = () => {
      const props: PanelProps = {
        tabId: TAB_ID,
        title: shownTitle,
        panel,
        state,
        revision,
        isActive,
        mayChange,
        stored: { state, revision },
        setState,
        openCopy,
        offerCopy,
        host,
      }
      const children = [
        createElement('h1', { key: 'h1' }, 'Bench'),
        // Anew, also after one of the same kind.
        createElement(Panel, { key: own, ...props }),
      ]
      // oxlint-disable-next-line react/no-children-prop -- a required property, and no JSX here
      const inSession = createElement(SessionProvider, { children })
      root.render(createElement(StrictMode, null, inSession))
    }
    render()
  },
}

const CATALOG_PANEL: CatalogPanel = {
  id: 'patchbay/5b3c0f0e-0000-4000-8000-000000000000',
  kind: 'webview',
  name: 'Bench',
  description: 'A panel on the bench.',
  category: 'Utility',
  icon: 'globe',
  singleton: false,
  availability: 'ready',
}

function makeLogBook(): LogStore & { clear(): void } {
  let entries: readonly LogEntry[] = []
  const listeners = new Set<() => void>()
  return {
    entries: () => entries,
    clear() {
      entries = []
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    add(entry) {
      entries = [...entries, { ...entry, at: new Date() }].slice(-1000)
      for (const listener of listeners) listener()
    },
  }
}
