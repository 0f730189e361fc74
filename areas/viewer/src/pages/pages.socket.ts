import { Problem } from '@patchbay/contracts/core'
import { VIEWER_MESSAGE_BYTES } from '@patchbay/contracts/limits'
import {
  VIEWER_SOCKET_PATH,
  type ViewerMessage,
  type ViewerPageMessage,
  viewerPageMessage,
  type WidgetName,
} from '@patchbay/contracts/viewer'
import type { Endpoint, Peer } from '@patchbay/kernel/websocket'
import { Compile } from 'typebox/compile'
import { OpenPages } from './open-pages.ts'
import { PendingWidgets } from './pending-widgets.ts'

const check = Compile(viewerPageMessage)

/** `undefined` for what no page of ours says. */
export function readPageMessage(text: string): ViewerPageMessage | undefined {
  const value = parse(text)
  return check.Check(value) ? value : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export interface ViewerPagesDeps {
  /** Unlike any other, also after a restart: pages keep it while they load. */
  readonly createNonce: () => string
  readonly shownWithinMs?: number
  readonly openWithinMs?: number
}

const SHOWN_WITHIN_MS = 5_000
const OPEN_WITHIN_MS = 10_000
/** A page that loads another one is without a connection for about this long. */
const RETURN_WITHIN_MS = 3_000

/** The open pages of this viewer, and what is said to them. */
export class ViewerPages {
  readonly #deps: ViewerPagesDeps
  readonly #roll = new OpenPages<Peer>()
  readonly #pendingWidgets: PendingWidgets
  /** Connections that have not said yet which page they are. */
  readonly #nameless = new Map<Peer, NodeJS.Timeout>()
  #active: Peer | undefined
  #leftAt = Number.NEGATIVE_INFINITY
  readonly #onOpened = new Set<() => void>()

  constructor(deps: ViewerPagesDeps) {
    this.#deps = deps
    this.#pendingWidgets = new PendingWidgets(deps.shownWithinMs ?? SHOWN_WITHIN_MS)
  }

  get size(): number {
    return this.#roll.size
  }

  endpoint(): Endpoint {
    return {
      path: VIEWER_SOCKET_PATH,
      maxMessageBytes: VIEWER_MESSAGE_BYTES,
      rate: { perSecond: 20, burst: 60 },
      onOpen: (peer) => this.#await(peer),
      onMessage: (peer, text) => this.#receive(peer, text),
      onClose: (peer) => this.#leave(peer),
    }
  }

  /** Opens a widget in the active page; settles once that page has said that it is there. */
  async show(widget: WidgetName, title: string | undefined, signal: AbortSignal): Promise<void> {
    const page = this.#roll.active() ?? (await this.#returning(signal))
    if (page === undefined) throw new Problem('viewer_not_open')
    const id = this.#deps.createNonce()
    const shown = this.#pendingWidgets.wait(id, page.pageId, signal)
    tell(page.connection, { type: 'show', id, widget, title: title ?? null })
    if (await shown) return
    // Asking again reaches another page, if there is one.
    this.#roll.passOver(page.connection)
    this.#appoint()
    throw new Problem('viewer_silent')
  }

  /** To every page. One that does not read is dropped by its connection. */
  broadcast(message: ViewerMessage): void {
    const text = JSON.stringify(message)
    for (const peer of this.#roll.connections()) peer.offer(text)
  }

  /** Nobody waits any longer. */
  stop(): void {
    this.#pendingWidgets.stop()
    for (const timer of this.#nameless.values()) clearTimeout(timer)
    for (const settle of this.#onOpened) settle()
  }

  #await(peer: Peer): void {
    const timer = setTimeout(() => peer.end('not_a_viewer_page'), this.#deps.openWithinMs ?? OPEN_WITHIN_MS)
    this.#nameless.set(peer, timer)
  }

  #receive(peer: Peer, text: string): void {
    const message = readPageMessage(text)
    if (message === undefined || (message.type === 'open') === (this.#roll.find(peer) !== undefined)) {
      peer.end('not_a_viewer_page')
      return
    }
    this.#take(peer, message)
    this.#appoint()
  }

  #take(peer: Peer, message: ViewerPageMessage): void {
    switch (message.type) {
      case 'open':
        clearTimeout(this.#nameless.get(peer))
        this.#nameless.delete(peer)
        this.#roll.open(peer, message)
        tell(peer, { type: 'active', isActive: false })
        for (const settle of this.#onOpened) settle()
        return
      case 'attention':
        this.#roll.attend(peer, message)
        return
      case 'shown':
        this.#pendingWidgets.note(message.id, this.#roll.find(peer)?.pageId)
    }
  }

  #leave(peer: Peer): void {
    clearTimeout(this.#nameless.get(peer))
    this.#nameless.delete(peer)
    if (this.#roll.find(peer) === undefined) return
    this.#roll.close(peer)
    this.#leftAt = performance.now()
    this.#appoint()
  }

  #appoint(): void {
    const active = this.#roll.active()?.connection
    if (active === this.#active) return
    if (this.#active?.isOpen === true) tell(this.#active, { type: 'active', isActive: false })
    this.#active = active
    if (active !== undefined) tell(active, { type: 'active', isActive: true })
  }

  /** The page that comes back, if one has just gone. */
  async #returning(signal: AbortSignal) {
    const leftMs = this.#leftAt + RETURN_WITHIN_MS - performance.now()
    if (leftMs <= 0) return undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, leftMs)
    this.#onOpened.add(resolve)
    const stop = () => resolve()
    signal.addEventListener('abort', stop)
    await promise
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    this.#onOpened.delete(resolve)
    return this.#roll.active()
  }
}

function tell(peer: Peer, message: ViewerMessage): void {
  peer.offer(JSON.stringify(message))
}
