import { type Frame, openFrame, type Told } from './frame.ts'
import type { FrameAnswer, FrameOrder, WantedAnswer } from './frame-messages.ts'
import { join, type Neighbor, reopenHung } from './neighbors.ts'
import { words } from './words.ts'

export type Wants = Extract<FrameAnswer, { type: 'wants' }>

type Reply =
  | Exclude<Extract<FrameAnswer, { id: number }>, { type: 'begun' }>
  | { readonly type: 'late' }
  /** Not begun: the frame went before it had looked at the order. */
  | { readonly type: 'lost'; readonly why: string; readonly isBegun: boolean }

/** The frame there is, and the one that takes its place. */
export interface FrameLine {
  isReady(withinMs: number): Promise<boolean>
  answers(withinMs: number): Promise<boolean>
  /** `late`: nothing came in time. `lost`: the frame went before. */
  ask(order: (id: number) => FrameOrder, withinMs: number): Promise<Reply>
  /** Another frame in its place, also if it hangs. From the call on this one is not ready. */
  renew(why: string): Promise<void>
  dispose(): void
}

export interface FrameLineOptions {
  readonly connect: readonly string[]
  readonly title: string
  readonly onReady: (isReady: boolean) => void
  readonly onConsole: (level: string, text: string) => void
  /** Gives code what it wants of the project's files. Without it there are none. */
  readonly onWants?: ((wants: Wants) => Promise<WantedAnswer>) | undefined
  /** The frame is taken out of the page, with all that is in it. */
  readonly onClose: (why: string) => void
}

const HUNG_MS = 200
const HEARTBEAT_MS = 5_000
const HEARTBEAT_ANSWER_MS = 3_000
const RETRY_MS = [250, 1_000, 4_000, 15_000] as const

export function createFrameLine(element: HTMLElement, options: FrameLineOptions): FrameLine {
  const asked = new Map<number, (reply: Reply) => void>()
  const begun = new Set<number>()
  const waitingForReady = new Set<(isReady: boolean) => void>()
  let frame: Frame | undefined
  let isReady = false
  let isDisposed = false
  let failures = 0
  let lastId = 0
  let retry: ReturnType<typeof setTimeout> | undefined

  function setReady(value: boolean): void {
    if (isReady === value) return
    isReady = value
    options.onReady(value)
    if (!value) return
    failures = 0
    for (const tell of waitingForReady) tell(true)
  }

  function receive(answer: Told): void {
    if (answer.type === 'ready') {
      // Before anything runs: code finds them, or finds that there are none.
      if (options.onWants !== undefined) frame?.send({ type: 'offer-files' })
      return setReady(true)
    }
    if (answer.type === 'wants') return void give(answer)
    if (answer.type === 'console') return options.onConsole(answer.level, answer.text)
    if (answer.type === 'begun') begun.add(answer.id)
    else asked.get(answer.id)?.(answer)
  }

  async function give(wants: Wants): Promise<void> {
    const asking = frame
    const answer = (await options.onWants?.(wants)) ?? { error: words.notReady }
    // A frame that came meanwhile has numbers of its own.
    if (frame === asking) asking?.send({ type: 'wanted', number: wants.number, answer })
  }

  const self: Neighbor = { answers, close, open }

  function open(): void {
    if (isDisposed || frame !== undefined) return
    clearTimeout(retry)
    frame = openFrame(element, { ...options, onAnswer: receive, onLost: lose })
  }

  function close(why: string): void {
    clearTimeout(retry)
    frame?.remove()
    frame = undefined
    setReady(false)
    options.onClose(why)
    for (const [id, tell] of asked) tell({ type: 'lost', why, isBegun: begun.has(id) })
  }

  function lose(why: string): void {
    // Code that leaves its page gets a new one at once; a server that is away is not asked in a circle.
    const delay = isReady ? 0 : (RETRY_MS[failures] ?? RETRY_MS[RETRY_MS.length - 1])
    failures += 1
    close(why)
    retry = setTimeout(open, delay)
  }

  function ask(order: (id: number) => FrameOrder, withinMs: number): Promise<Reply> {
    lastId += 1
    const id = lastId
    if (frame === undefined) return Promise.resolve({ type: 'lost', why: words.notReady, isBegun: false })
    return new Promise((resolve) => {
      const tell = (reply: Reply): void => {
        clearTimeout(timer)
        asked.delete(id)
        begun.delete(id)
        resolve(reply)
      }
      const timer = setTimeout(() => tell({ type: 'late' }), withinMs)
      asked.set(id, tell)
      frame?.send(order(id))
    })
  }

  async function answers(withinMs: number): Promise<boolean> {
    return (await ask((id) => ({ type: 'ping', id }), withinMs)).type === 'pong'
  }

  async function renew(why: string): Promise<void> {
    const old = frame
    setReady(false)
    const isAlive = await answers(HUNG_MS)
    // Somebody else did it meanwhile.
    if (frame !== old) return
    if (!isAlive) return await reopenHung(self, why)
    close(why)
    open()
  }

  const leave = join(self)
  const heartbeat = setInterval(() => {
    if (!isReady || asked.size > 0) return
    const beating = frame
    void answers(HEARTBEAT_ANSWER_MS).then((isAlive) => {
      if (!isAlive && frame === beating) void reopenHung(self, words.hung)
    })
  }, HEARTBEAT_MS)
  open()

  return {
    answers,
    ask,
    renew,
    isReady(withinMs) {
      if (isReady || isDisposed) return Promise.resolve(isReady)
      return new Promise((resolve) => {
        const tell = (value: boolean): void => {
          clearTimeout(timer)
          waitingForReady.delete(tell)
          resolve(value)
        }
        const timer = setTimeout(() => tell(false), Math.max(0, withinMs))
        waitingForReady.add(tell)
      })
    },
    dispose() {
      isDisposed = true
      clearInterval(heartbeat)
      leave()
      close(words.closed)
      for (const tell of waitingForReady) tell(false)
    },
  }
}
