import { SANDBOX_HOST_PATH, sandboxQuery } from '@patchbay/contracts/panels'
import { FRAME_STYLE, hiddenTreeOf } from '../hidden-tree.ts'
import { text as frameScript } from './frame/main.ts?script'
import type { FrameAnswer, FrameOrder } from './frame-messages.ts'
import { words } from './words.ts'

export interface Frame {
  send(order: FrameOrder): void
  /** Takes it out of the page. It says nothing anymore. */
  remove(): void
}

/** What a frame says that is still there. */
export type Told = Exclude<FrameAnswer, { type: 'leaving' }>

export interface FrameOptions {
  readonly connect: readonly string[]
  readonly title: string
  readonly onAnswer: (answer: Told) => void
  /** It did not come, or is no longer what was made. Said once. */
  readonly onLost: (why: string) => void
}

const LOADING_MS = 15_000

/** A new frame in which nothing has run, as the only thing in an element. */
export function openFrame(element: HTMLElement, { connect, title, onAnswer, onLost }: FrameOptions): Frame {
  const outer = document.createElement('iframe')
  outer.title = title
  Object.assign(outer.style, FRAME_STYLE)
  outer.src = `${SANDBOX_HOST_PATH}${sandboxQuery(connect)}`
  let port: MessagePort | undefined
  let isOver = false

  const deadline = setTimeout(() => lose(words.notLoaded), LOADING_MS)
  function end(): void {
    isOver = true
    clearTimeout(deadline)
    port?.close()
  }
  function lose(why: string): void {
    if (isOver) return
    end()
    onLost(why)
  }

  function connectInner(): void {
    if (isOver) return
    // Moved in the document, and with it everything that ran.
    if (port !== undefined) return lose(words.reloaded)
    const host = outer.contentDocument
    const inner = host?.querySelector('iframe')
    if (host === null || inner === null || inner === undefined) return lose(words.notLoaded)
    forbidLeaving(host)
    inner.addEventListener('load', () => lose(words.left))
    const channel = new MessageChannel()
    port = channel.port1
    port.addEventListener('message', ({ data }: MessageEvent<FrameAnswer>) => {
      if (isOver) return
      if (data.type === 'leaving') return lose(words.left)
      if (data.type === 'ready') clearTimeout(deadline)
      onAnswer(data)
    })
    port.start()
    // Its origin is opaque and has no name to send to; the text holds no secret, and only the first message counts.
    inner.contentWindow?.postMessage(frameScript, '*', [channel.port2])
  }

  outer.addEventListener('load', connectInner)
  hiddenTreeOf(element).replaceChildren(outer)
  return {
    send: (order) => port?.postMessage(order),
    remove() {
      end()
      outer.remove()
    },
  }
}

/**
 * From here on the frame inside can be led nowhere, not even to our own addresses: these could carry out what it knows,
 * or be a frame that may reach more.
 */
function forbidLeaving(host: Document): void {
  const policy = host.createElement('meta')
  policy.httpEquiv = 'Content-Security-Policy'
  policy.content = "frame-src 'none'"
  host.head.append(policy)
}
