import {
  DEVICES_CHANNEL,
  type DevicesNews,
  type DevicesRequest,
  devicesRequest,
} from '@patchbay/contracts/devices'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import type { Step } from '@patchbay/kernel/tracing'
import { Compile } from 'typebox/compile'
import { findStop } from './command.store.ts'
import type { DevicesDeps, Page } from './deps.ts'
import { type KnownDevice, listDevices, listValues } from './device.store.ts'
import type { HeardValue, LiveDevices } from './live-devices.store.ts'

const isRequest = Compile(devicesRequest)
/** Between two messages: at most 30 a second, however many values there are. Longer than the pause of a channel at the highest rate, which would otherwise miss every other message. */
const BATCH_MS = 34
/** Wake-ups can be lost; a device that was taken from a workspace must not be seen for longer than this. */
const LOOK_AGAIN_MS = 1_500
/** When what another node has heard is stored at the latest; the second time is for a database that was slow. */
const STORED_WITHIN_MS = [2_500, 10_000] as const

type Wish = DevicesRequest['channels'][number]

interface Watch {
  readonly wish: Wish
  readonly pauseMs: number
  sentAt: number
  /** The newest that was not sent yet. */
  next: HeardValue | undefined
  /** As opposed to read from the database. */
  isHeard: boolean
}

interface Watcher {
  readonly page: Page
  /** What it was told of the broker last. */
  isUp: boolean | undefined
  wishes: readonly Wish[]
  /** By the id of the device, then by channel. */
  watches: Map<number, Map<string, Watch>>
  /** Those that have something which was not sent yet. */
  due: Set<Watch>
  subscriptions: Disposable[]
  /** Of the last message with values. */
  sentAt: number
  timer: NodeJS.Timeout | undefined
  immediate: NodeJS.Immediate | undefined
}

/** The pages of this node that have one workspace open. */
interface OpenWorkspace {
  readonly at: WorkspaceRef
  readonly watchers: Map<Page, Watcher>
  listening: Promise<AsyncDisposable | undefined> | undefined
  /** What its pages were told last. */
  stop: string
  looking: 'no' | 'now' | 'now and again'
}

export interface DeviceSocket {
  readonly name: typeof DEVICES_CHANNEL
  receive(page: Page, message: unknown): Promise<void>
  leave(page: Page): void
  start(): void
  stop(): Promise<void>
}

/** Names on the bus that devices of a workspace have changed. */
export const devicesKey = ({ owner, repo }: WorkspaceRef) => `devices:${owner}/${repo}`

const sentStep = (values: number): Step => ({
  name: 'send values to a page',
  kind: 'producer',
  attributes: { 'messaging.batch.message_count': values },
})

/** Values from devices to the pages that show them: the newest of each channel, at the rate that each page asks for. */
export function createDeviceSocket(deps: DevicesDeps, live: LiveDevices): DeviceSocket {
  const { db, bus, broker, clock, log, tracing } = deps
  const workspaces = new Map<string, OpenWorkspace>()
  let sweeping: NodeJS.Timeout | undefined

  const tell = (page: Page, news: DevicesNews) => page.send(DEVICES_CHANNEL, news)

  function tellLink(watcher: Watcher): void {
    const { isUp } = broker
    if (watcher.isUp === isUp) return
    watcher.isUp = isUp
    tell(watcher.page, { type: 'link', isUp })
  }

  function openOf(at: WorkspaceRef): OpenWorkspace {
    const key = devicesKey(at)
    const known = workspaces.get(key)
    if (known !== undefined) return known
    const made: OpenWorkspace = { at, watchers: new Map(), listening: undefined, stop: 'null', looking: 'no' }
    workspaces.set(key, made)
    made.listening = bus.wakeups
      .watch(key, () => void lookOnceMore(made))
      .catch((err: unknown) => {
        log.debug({ err }, 'failed to subscribe to device changes, relying on the sweep')
        return undefined
      })
    return made
  }

  async function setWishes(page: Page, { channels }: DevicesRequest): Promise<void> {
    const open = openOf(page.at)
    const isNew = !open.watchers.has(page)
    const watcher: Watcher = open.watchers.get(page) ?? {
      page,
      isUp: undefined,
      wishes: [],
      watches: new Map(),
      due: new Set(),
      subscriptions: [],
      sentAt: 0,
      timer: undefined,
      immediate: undefined,
    }
    open.watchers.set(page, watcher)
    watcher.wishes = channels
    if (isNew) {
      tellLink(watcher)
      const stop = await findStop(db, page.at)
      open.stop = JSON.stringify(stop)
      tell(page, { type: 'stop', stop })
    }
    await connect(open, watcher, true)
  }

  /** Subscribes to what the page asks for of the devices that the workspace has at this moment. */
  async function connect(open: OpenWorkspace, watcher: Watcher, isFirst: boolean): Promise<void> {
    const known = new Map(
      (await listDevices(db, open.at, clock.now())).map((device) => [device.shown.name, device]),
    )
    if (open.watchers.get(watcher.page) !== watcher) return
    const before = watcher.watches
    const devices = new Map<number, KnownDevice>()
    const watches = new Map<number, Map<string, Watch>>()
    const fresh: { readonly device: number; readonly watch: Watch }[] = []
    for (const wish of watcher.wishes) {
      const device = known.get(wish.device)
      if (device === undefined) continue
      const { id } = device
      devices.set(id, device)
      const ofDevice = watches.get(id) ?? new Map<string, Watch>()
      watches.set(id, ofDevice)
      const earlier = before.get(id)?.get(wish.channel)
      const made: Watch = {
        wish,
        pauseMs: 1000 / wish.rate,
        sentAt: earlier?.sentAt ?? 0,
        next: earlier?.next,
        isHeard: earlier?.isHeard ?? false,
      }
      ofDevice.set(wish.channel, made)
      if (earlier === undefined || isFirst) fresh.push({ device: id, watch: made })
    }
    const ended = watcher.subscriptions
    watcher.watches = watches
    watcher.due = new Set(
      [...watches.values()].flatMap((ofDevice) =>
        [...ofDevice.values()].filter(({ next }) => next !== undefined),
      ),
    )
    watcher.subscriptions = [...devices.values()].map((device) =>
      live.listen(device, (heard) => take(watcher, heard)),
    )
    // Afterwards: those that go on would otherwise be ended and begun again at the broker.
    for (const subscription of ended) subscription[Symbol.dispose]()
    await tellLatest(watcher, fresh)
    if (broker.isShared && fresh.length > 0)
      for (const afterMs of STORED_WITHIN_MS)
        setTimeout(() => void tellStored(open, watcher), afterMs).unref()
  }

  /** What came before this node subscribed may have been stored after it was read. */
  async function tellStored(open: OpenWorkspace, watcher: Watcher): Promise<void> {
    const silent = [...watcher.watches].flatMap(([device, ofDevice]) =>
      [...ofDevice.values()].filter(({ isHeard }) => !isHeard).map((watch) => ({ device, watch })),
    )
    if (open.watchers.get(watcher.page) !== watcher) return
    await tellLatest(watcher, silent).catch((err: unknown) =>
      log.debug({ err }, 'failed to read the latest values of devices'),
    )
  }

  async function tellLatest(
    watcher: Watcher,
    fresh: readonly { readonly device: number; readonly watch: Watch }[],
  ): Promise<void> {
    const unknown = new Set(
      fresh
        .filter(({ device, watch: { wish } }) => live.latest(device, wish.channel) === undefined)
        .map(({ device }) => device),
    )
    const stored = new Map<string, HeardValue>()
    for (const device of unknown)
      for (const { channel, value, at } of await listValues(db, device))
        stored.set(`${device} ${channel}`, { device, channel, value, at: Date.parse(at) })
    for (const { device, watch } of fresh) {
      const { channel } = watch.wish
      watch.next ??= live.latest(device, channel) ?? stored.get(`${device} ${channel}`)
      if (watch.next !== undefined) watcher.due.add(watch)
    }
    flush(watcher)
  }

  function take(watcher: Watcher, heard: HeardValue): void {
    const watch = watcher.watches.get(heard.device)?.get(heard.channel)
    if (watch === undefined) return
    watch.next = heard
    watch.isHeard = true
    watcher.due.add(watch)
    if (watcher.timer !== undefined || watcher.immediate !== undefined) return
    const waitMs = watcher.sentAt + BATCH_MS - performance.now()
    // The first value after a pause waits for those alone that came with it.
    if (waitMs <= 0) watcher.immediate = setImmediate(() => flush(watcher))
    else watcher.timer = setTimeout(() => flush(watcher), waitMs)
  }

  function clear(watcher: Watcher): void {
    clearTimeout(watcher.timer)
    clearImmediate(watcher.immediate)
    watcher.timer = undefined
    watcher.immediate = undefined
  }

  function flush(watcher: Watcher): void {
    clear(watcher)
    const now = performance.now()
    const values: Extract<DevicesNews, { type: 'values' }>['values'][number][] = []
    // A page that reads slowly gets the newest when it has read, and nothing that lies in between.
    if (!watcher.page.isBusy)
      for (const watch of watcher.due) {
        const { next, wish } = watch
        if (next === undefined || now - watch.sentAt < watch.pauseMs) continue
        watch.sentAt = now
        watch.next = undefined
        watcher.due.delete(watch)
        values.push({ device: wish.device, channel: wish.channel, value: next.value, at: next.at })
      }
    if (values.length > 0) {
      watcher.sentAt = now
      const send = () => tell(watcher.page, { type: 'values', values })
      if (tracing === undefined) send()
      else
        void tracing.step(
          () => sentStep(values.length),
          async () => send(),
        )
    }
    if (watcher.due.size > 0) watcher.timer = setTimeout(() => flush(watcher), BATCH_MS)
  }

  /** However many devices change at once, one look at a time: the last one sees all of it. */
  async function lookOnceMore(open: OpenWorkspace): Promise<void> {
    if (open.looking !== 'no') {
      open.looking = 'now and again'
      return
    }
    do {
      open.looking = 'now'
      await lookAgain(open, true)
    } while ((open.looking as OpenWorkspace['looking']) === 'now and again')
    open.looking = 'no'
  }

  /** What the workspace has may be another now. */
  async function lookAgain(open: OpenWorkspace, isNews: boolean): Promise<void> {
    try {
      const stop = await findStop(db, open.at)
      const text = JSON.stringify(stop)
      const isOther = text !== open.stop
      open.stop = text
      for (const watcher of open.watchers.values()) {
        if (isOther) tell(watcher.page, { type: 'stop', stop })
        if (isNews) tell(watcher.page, { type: 'changed' })
        await connect(open, watcher, false)
      }
    } catch (err) {
      log.debug({ err }, 'failed to read the devices of a workspace, retrying')
    }
  }

  function leave(page: Page): void {
    const open = workspaces.get(devicesKey(page.at))
    const watcher = open?.watchers.get(page)
    if (open === undefined || watcher === undefined) return
    open.watchers.delete(page)
    clear(watcher)
    watcher.watches = new Map()
    watcher.due = new Set()
    for (const subscription of watcher.subscriptions) subscription[Symbol.dispose]()
    if (open.watchers.size > 0) return
    workspaces.delete(devicesKey(page.at))
    void open.listening?.then((listening) => listening?.[Symbol.asyncDispose]()).catch(() => undefined)
  }

  async function sweep(): Promise<void> {
    for (const open of workspaces.values()) await lookAgain(open, false)
  }

  return {
    name: DEVICES_CHANNEL,
    async receive(page, message) {
      if (isRequest.Check(message)) await setWishes(page, message)
    },
    leave,
    start() {
      let isSweeping = false
      sweeping ??= setInterval(() => {
        // Before anything that waits for the database, which may be away as well.
        for (const { watchers } of workspaces.values())
          for (const watcher of watchers.values()) tellLink(watcher)
        if (isSweeping) return
        isSweeping = true
        void sweep().finally(() => {
          isSweeping = false
        })
      }, LOOK_AGAIN_MS).unref()
    },
    async stop() {
      clearInterval(sweeping)
      for (const { watchers } of workspaces.values()) for (const page of watchers.keys()) leave(page)
    },
  }
}
