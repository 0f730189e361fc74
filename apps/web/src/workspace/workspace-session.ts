import type { CloseCodeName } from '@patchbay/contracts/core'
import type { CodeEditorState, WorkspaceMessage, WorkspaceRef } from '@patchbay/contracts/panels'
import { tabs } from '@patchbay/workspace-layout'
import { notify } from '../components/toast.tsx'
import { createValueStore, type ValueStore } from '../parts/value-store.ts'
import { actionInWords } from './action-words.ts'
import { createCapturer } from './capture/capturer.ts'
import { sharedBefore } from './capture/shared-before.ts'
import type { Capturer } from './capture-port.ts'
import { type CatalogStore, createCatalogStore } from './catalog-store.ts'
import { type Consent, createConsent } from './commands/consent.ts'
import { createOffers } from './commands/offers.ts'
import { runCommand } from './commands/run-command.ts'
import { createPictureTaker, type ScreenAudience } from './commands/take-picture.ts'
import { type Connection, connect } from './connection/connection.ts'
import type { DockPort } from './dock-port.ts'
import { createFileNames, type FileNames } from './file-names.ts'
import type { LastSearch } from './last-search.ts'
import { faultLine, logUncaught } from './log-faults.ts'
import type { Overlay } from './overlay.ts'
import type { FilePlace, HostNews, LogEntry, LogStore, PanelHost } from './panel-definition.ts'
import { withFile } from './panels/parts/with-file.ts'
import { createPresence, type Presence } from './presence/presence.ts'
import type { Randomness } from './randomness.ts'
import { addressAt, createReplay, momentIn, type Replay } from './replay.ts'
import { createSimulatedBench, type SimulatedBench } from './simulated-bench.ts'
import { type Closing, createClosing } from './store/closing.ts'
import { createCommandHistory } from './store/command-history.ts'
import { type Copies, createCopies } from './store/copies.ts'
import { createLayoutHistory, type LayoutHistory } from './store/layout-history.ts'
import { createPanelOpener, createPanelPatcher } from './store/open-panel.ts'
import type { Link } from './store/snapshot.ts'
import { createWorkspaceStore, type WorkspaceStore } from './store/workspace-store.ts'
import { words } from './words.tsx'
import { fetchCatalog, uploadCapture } from './workspace.api.ts'

const KEPT = 1_000
const NAMING_PAUSE_MS = 300
/** What the trail says of markers and of recording. */
const RECORDINGS = /^(?:mark |remove a marker$|(?:start|stop) recording devices$)/
const ASKS_TO_ARM = 'ask to arm device '

/** The lines of the system log. The oldest go when there are too many. */
export function createLogStore(now: () => Date = () => new Date()): LogStore {
  const listeners = new Set<() => void>()
  let entries: readonly LogEntry[] = []
  return {
    entries: () => entries,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    add(entry) {
      entries = [...entries.slice(-(KEPT - 1)), { ...entry, at: now() }]
      for (const listener of listeners) listener()
    },
  }
}

/** Everything behind one open workspace page. */
export interface WorkspaceSession {
  readonly workspace: WorkspaceRef
  readonly newId: () => string
  readonly store: WorkspaceStore
  readonly catalog: CatalogStore
  readonly log: LogStore
  readonly host: PanelHost
  readonly capturer: Capturer
  readonly consent: Consent
  /** Whether the page shared before it was reloaded, and has not been asked to again. */
  readonly hasStoppedSharing: ValueStore<boolean>
  /** To whom the person has shown their screen. */
  readonly screenFor: ValueStore<ScreenAudience | undefined>
  readonly dock: ValueStore<DockPort | undefined>
  readonly overlay: ValueStore<Overlay | undefined>
  readonly fileNames: FileNames
  readonly simulatedBench: SimulatedBench
  readonly csrfToken: ValueStore<string>
  /** Moves whenever a connection was lost: it may be that the person has been signed out. */
  readonly losses: ValueStore<number>
  readonly closing: Closing
  readonly history: LayoutHistory
  readonly copies: Copies
  readonly presence: Presence
  /** Shows a file in the Files panel, which is added where the workspace has none. */
  openFile(path: string): void
  /** Shows a place in a file in a code editor; where that cannot be, the file in the Files panel. */
  openPlace(place: FilePlace): void
  readonly lastSearch: ValueStore<LastSearch | undefined>
  /** Tells the person that something was not done. */
  refuse(message: string): void
  start(): () => void
}

type CommandMessage = Extract<WorkspaceMessage, { type: 'command' }>

export function createWorkspaceSession(workspace: WorkspaceRef, randomness: Randomness): WorkspaceSession {
  const log = createLogStore()
  const offers = createOffers()
  const book = createCommandHistory()
  const capturer = createCapturer({})
  const catalog = createCatalogStore(() => fetchCatalog(workspace.owner))
  const consent = createConsent(() => performance.now())
  const screenFor = createValueStore<ScreenAudience | undefined>(undefined)
  const shared = sharedBefore(workspace)
  const hasStoppedSharing = createValueStore(false)
  const dock = createValueStore<DockPort | undefined>(undefined)
  const overlay = createValueStore<Overlay | undefined>(undefined)
  const fileToShow = createValueStore<string | undefined>(undefined)
  const placeToShow = createValueStore<FilePlace | undefined>(undefined)
  const csrfToken = createValueStore('')
  const losses = createValueStore(0)
  let forgetAsk = () => {}
  const ready = new Map<string, boolean>()
  const followers = new Set<(news: HostNews) => void>()
  const hearers = new Map<string, Set<(message: unknown) => void>>()
  const tell = (news: HostNews) => {
    for (const follower of followers) follower(news)
  }
  let connection: Connection | undefined

  const history = createLayoutHistory({
    store: () => store,
    reopen: (tabId) => closing.reopen(tabId),
    newId: randomness.newId,
    refuse,
    tell: (title) => notify({ title, tone: 'info' }),
  })
  const store: WorkspaceStore = createWorkspaceStore({
    rules: { isSingleton: (panel) => catalog.isSingleton(panel), trustsLayouts: true },
    newId: randomness.newId,
    now: () => performance.now(),
    send: (message) => connection?.send(message),
    onMade: (step) => history.record(step),
    onRefused: refuse,
  })
  function refuse(message: string): void {
    log.add({ source: 'workspace', level: 'warn', text: words.log.refused(message) })
    notify({ title: message, tone: 'warning' })
  }

  const closing: Closing = createClosing({
    workspace,
    store,
    csrfToken: () => csrfToken.get(),
    focusTab: (tabId) => dock.get()?.focusTab(tabId),
    onReopened: (tabId) => history.forgetClosing(tabId),
    refuse,
  })

  const presence = createPresence({
    store,
    dock: () => dock.get(),
    send: (message) => connection?.send(message),
    now: () => performance.now(),
    date: () => Date.now(),
    tell: (title) => notify({ title, tone: 'info' }),
  })

  const titleOf = (tabId: string | null) => (tabId === null ? undefined : titles(store).get(tabId))

  const takePicture = createPictureTaker({
    capturer,
    offers,
    dock: () => dock.get(),
    askToShare: (request) => consent.ask(request),
    screenFor: () => screenFor.get(),
    upload: (captureId, png) => uploadCapture(workspace, captureId, png, csrfToken.get()),
  })

  async function obey({ id, command, deadlineMs }: CommandMessage): Promise<void> {
    const known = book.begin(id)
    connection?.send({ type: 'taken', id })
    if (known === 'running') return
    if (known !== 'new') return connection?.send(known)
    const answer = await runCommand(id, command, {
      offers,
      takePicture: (asked) => takePicture(asked, deadlineMs),
      hasTab: (tabId) => titles(store).has(tabId),
      takeState: (state) => store.takeState(state),
    })
    book.finish(answer)
    connection?.send(answer)
    const fault = faultLine(command, answer)
    const about = titleOf(command.tabId)
    if (fault !== undefined) log.add({ ...fault, ...(about !== undefined && { about }) })
  }

  function take(message: WorkspaceMessage): void {
    if (message.type === 'command') return void obey(message)
    if (message.type === 'channel') {
      for (const listener of hearers.get(message.channel) ?? []) listener(message.message)
      return
    }
    store.receive(message)
    if (message.type === 'opened') {
      log.add({ source: 'workspace', level: 'info', text: words.log.links.open })
      // Not before: whoever may not see the workspace is refused the panels of its owner as well.
      if (catalog.getSnapshot().state === 'loading') void catalog.load()
      for (const [tabId, isReady] of ready) connection?.send({ type: 'ready', tabId, isReady })
      tell('back')
    }
    if (message.type === 'acted') {
      if (message.actions.some(({ action }) => action.startsWith('files '))) tell('files')
      if (message.actions.some(({ action }) => RECORDINGS.test(action))) tell('recordings')
      for (const { by, action, reason, tabId } of message.actions) {
        if (action.startsWith(ASKS_TO_ARM)) showAsk(by.name, action.slice(ASKS_TO_ARM.length), reason)
        const about = titleOf(tabId)
        const done = [by.name, by.handle, actionInWords(action)] as const
        const text = reason === undefined ? words.log.acted(...done) : words.log.actedBecause(...done, reason)
        log.add({ source: 'agent', level: 'info', text, ...(about !== undefined && { about }) })
      }
    }
  }

  /** A command of a script or an agent waits for a person; the server tells once a minute. */
  function showAsk(name: string, device: string, reason: string | undefined): void {
    if (!store.getSnapshot().mayChange) return
    forgetAsk()
    forgetAsk = notify({
      title: words.arming.asked(name, device, reason),
      tone: 'warning',
      stays: true,
      action: { label: words.arming.devices, run: () => overlay.set({ type: 'devices' }) },
    })
  }

  function follow(link: Link, ending?: CloseCodeName): void {
    if (link === 'away') losses.set(losses.get() + 1)
    if (link !== store.getSnapshot().link)
      log.add({ source: 'workspace', level: link === 'open' ? 'info' : 'warn', text: words.log.links[link] })
    // Before the first answer a lost connection is one that has not been made yet.
    if (link === 'away' && !store.getSnapshot().hasOpened) return
    if (link === 'away' || link === 'ended') tell('away')
    store.setLink(link, ending)
  }

  const host: PanelHost = {
    workspace,
    pageId: randomness.newId(),
    newId: randomness.newId,
    log,
    offer: (tabId, handlers) => offers.add(tabId, handlers),
    setReady(tabId, isReady) {
      if (isReady) ready.set(tabId, true)
      else ready.delete(tabId)
      connection?.send({ type: 'ready', tabId, isReady })
    },
    mayChange: () => store.getSnapshot().mayChange,
    csrfToken: () => csrfToken.get(),
    say: (channel, message) => connection?.send({ type: 'channel', channel, message }),
    hear(channel, listener) {
      const listeners = hearers.get(channel) ?? new Set()
      hearers.set(channel, listeners)
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    openPanel: createPanelOpener({
      store,
      panels: () => catalog.getSnapshot().panels.values(),
      newId: randomness.newId,
      showTab: (tabId) => dock.get()?.showTab(tabId),
      refuse,
    }),
    patchPanels: createPanelPatcher({ store, panels: () => catalog.getSnapshot().panels.values() }),
    replay: createReplay(() => Date.now()),
    fileToShow,
    placeToShow,
    findInFiles: () => overlay.set({ type: 'find' }),
    follow(follower) {
      followers.add(follower)
      return () => followers.delete(follower)
    },
  }

  function openFile(path: string): void {
    if (host.openPanel(undefined, 'files', {})) fileToShow.set(path)
    else refuse(words.palette.fileNotShown)
  }

  return {
    workspace,
    newId: randomness.newId,
    store,
    catalog,
    log,
    host,
    capturer,
    consent,
    hasStoppedSharing,
    screenFor,
    dock,
    overlay,
    fileNames: createFileNames(host),
    simulatedBench: createSimulatedBench(host, refuse),
    csrfToken,
    losses,
    closing,
    history,
    copies: createCopies({ store, newId: randomness.newId, refuse }),
    presence,
    lastSearch: createValueStore<LastSearch | undefined>(undefined),
    openFile,
    openPlace(place) {
      const open = withFile(place.path)
      // Where it is open already, nobody else's view changes.
      const isOpened = host.openPanel(undefined, 'code-editor', (shown) =>
        (shown as CodeEditorState).files?.includes(place.path) === true ? {} : open(shown),
      )
      if (isOpened) placeToShow.set(place)
      // Who may only look cannot open it for everybody.
      else openFile(place.path)
    },
    refuse,
    start() {
      connection = connect({
        workspace,
        browserId: randomness.newId(),
        random: randomness.random,
        isSharing: () => capturer.isSharing(),
        onMessage: take,
        onLink: follow,
      })
      const stopNaming = nameMoment(host.replay)
      if (shared.take()) hasStoppedSharing.set(true)
      const stopFollowing = capturer.subscribe(() => {
        shared.keep(capturer.isSharing())
        if (capturer.isSharing()) hasStoppedSharing.set(false)
        if (capturer.isSharing(consent.shown.get()?.scope)) consent.settle()
        // Whom a screen was shown to says nothing of the next time that it is shared.
        if (!capturer.isSharing('screen')) screenFor.set(undefined)
        connection?.tellAttention()
      })
      const stopLogging = logUncaught(globalThis, log)
      const stopPresence = presence.start()
      return () => {
        stopNaming()
        stopPresence()
        stopLogging()
        stopFollowing()
        connection?.close()
        connection = undefined
      }
    },
  }
}

/** The address of the page names the moment that it shows, so that a reload and whoever gets the address see the same. */
function nameMoment({ subscribe, getSnapshot, seek }: Replay): () => void {
  const linked = momentIn(location.search)
  if (linked !== undefined) seek(linked)
  let timer: number | undefined
  const stop = subscribe(() => {
    clearTimeout(timer)
    // Browsers stop a page that changes its address with each move of a pointer.
    timer = window.setTimeout(() => {
      const { at, isPlaying } = getSnapshot()
      if (isPlaying) return
      const address = addressAt(location.href, at)
      if (address !== location.href) history.replaceState(history.state, '', address)
    }, NAMING_PAUSE_MS)
  })
  return () => {
    clearTimeout(timer)
    stop()
  }
}

function titles(store: WorkspaceStore): ReadonlyMap<string, string> {
  return new Map(tabs(store.getSnapshot().layout).map(({ id, title }) => [id, title]))
}
