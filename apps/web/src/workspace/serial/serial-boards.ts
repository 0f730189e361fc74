import type { DeviceValue } from '@patchbay/contracts/devices'
import type { SerialLine } from '../instruments/serial-console.tsx'
import {
  type Board,
  type BoardRules,
  type BoardSnapshot,
  type BoardValue,
  createBoard,
  type Refusal,
  type SendFault,
} from './board.ts'
import { type BoardMemory, MOST_BOARDS, type RememberedBoard } from './remembered-boards.ts'
import type { PortKind, WebSerial, WebSerialPort } from './web-serial.ts'
import { words } from './words.ts'

export interface BoardsSnapshot {
  /** Whether this browser has serial ports. */
  readonly isSupported: boolean
  readonly boards: readonly BoardSnapshot[]
  /** Stopped in this page, and the server has not said so. */
  readonly isHeld: boolean
}

/** The boards that this page has connected, and those that it knows. */
export interface SerialBoards {
  getSnapshot(): BoardsSnapshot
  subscribe(listener: () => void): () => void
  /** Has the browser ask for the port of a new board. Answers what went wrong, in words; nothing if the person chose none. */
  add(name: string, speed: number): Promise<string | undefined>
  /** Connects one that is known. */
  open(name: string): Promise<string | undefined>
  close(name: string): Promise<void>
  forget(name: string): Promise<void>
  arm(name: string, seconds: number): Refusal | undefined
  disarm(name: string): void
  send(name: string, channel: string, value: DeviceValue): Promise<SendFault | undefined>
  sendText(name: string, text: string): Promise<SendFault | undefined>
  /** Why text cannot be sent to it now. */
  refusal(name: string): Refusal | undefined
  lines(name: string): readonly SerialLine[]
  followLines(name: string, listener: () => void): () => void
  followValues(listener: (name: string, values: readonly BoardValue[]) => void): () => void
  /** Stops all at once, whatever the server says. */
  stop(): void
  /** Ends that, where the server has nothing stopped. */
  release(): void
  /** What the server says of a stop. */
  hear(news: { readonly hearsOfStop: boolean; readonly isStopped: boolean }): void
}

export interface SerialBoardsOptions {
  /** `undefined`: the browser has none. */
  readonly serial: WebSerial | undefined
  readonly memory: BoardMemory
  /** Whether the person may change the workspace. */
  readonly mayChange: () => boolean
  /** Milliseconds since 1970. */
  readonly now: () => number
}

const NO_LINES: readonly SerialLine[] = []
const GONE = { refusal: 'offline' } as const

export function createSerialBoards({ serial, memory, mayChange, now }: SerialBoardsOptions): SerialBoards {
  const boards = new Map<string, Board>()
  const listeners = new Set<() => void>()
  const valueListeners = new Set<(name: string, values: readonly BoardValue[]) => void>()
  let server = { hearsOfStop: false, isStopped: false }
  let isHeld = false
  let snapshot: BoardsSnapshot = { isSupported: serial !== undefined, boards: [], isHeld }

  function change(): void {
    snapshot = {
      isSupported: serial !== undefined,
      boards: Array.from(boards.values(), (board) => board.getSnapshot()),
      isHeld,
    }
    for (const listener of listeners) listener()
  }

  const rules = (): BoardRules => ({
    mayChange: mayChange(),
    hearsOfStop: server.hearsOfStop,
    isStopped: server.isStopped || isHeld,
  })

  function make(known: RememberedBoard): Board {
    const board = createBoard({
      known,
      rules,
      now,
      onChange: change,
      onValues: (values) => {
        for (const listener of valueListeners) listener(known.name, values)
      },
    })
    boards.set(known.name, board)
    return board
  }

  function heed(): void {
    for (const board of boards.values()) board.heed()
  }

  const userOf = (port: WebSerialPort) => [...boards.values()].find((board) => board.port() === port)

  async function freePorts(kind: PortKind): Promise<readonly WebSerialPort[]> {
    const ports = (await serial?.getPorts()) ?? []
    return ports.filter((port) => isSameKind(port.getInfo(), kind) && userOf(port) === undefined)
  }

  /** `undefined`: the person chose none. */
  async function ask(kind?: PortKind): Promise<WebSerialPort | { readonly problem: string } | undefined> {
    try {
      return await serial?.requestPort(
        kind?.usbVendorId === undefined ? undefined : { filters: [filterOf(kind)] },
      )
    } catch (error) {
      const isClosed = error instanceof DOMException && error.name === 'NotFoundError'
      return isClosed ? undefined : { problem: words.blocked }
    }
  }

  async function choose(kind: PortKind): Promise<WebSerialPort | { readonly problem: string } | undefined> {
    const [port, ...others] = await freePorts(kind)
    // Of two of a kind the page cannot know which one is meant.
    return port !== undefined && others.length === 0 ? port : await ask(kind)
  }

  /** What was plugged in again. */
  async function reopen(): Promise<void> {
    const lost = [...boards.values()].filter((board) => board.getSnapshot().state === 'lost')
    for (const board of lost) {
      const { kind } = board.getSnapshot()
      const isAlone = lost.filter((other) => isSameKind(other.getSnapshot().kind, kind)).length === 1
      const [port, ...others] = isAlone && kind.usbVendorId !== undefined ? await freePorts(kind) : []
      if (port !== undefined && others.length === 0) await board.open(port)
    }
  }

  function remember(next: RememberedBoard): void {
    memory.write([...memory.read().filter(({ name }) => name !== next.name), next])
  }

  for (const known of memory.read()) make(known)
  serial?.addEventListener('connect', () => void reopen().catch(() => undefined))
  change()
  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async add(name, speed) {
      if (boards.has(name)) return words.taken
      if (boards.size >= MOST_BOARDS) return words.full(MOST_BOARDS)
      const port = await ask()
      if (port === undefined || 'problem' in port) return port?.problem
      const user = userOf(port)
      if (user !== undefined) return words.inUse(user.getSnapshot().name)
      const { usbVendorId, usbProductId } = port.getInfo()
      const known = { name, speed, kind: { usbVendorId, usbProductId } }
      const board = make(known)
      const problem = await board.open(port)
      if (problem === undefined) remember(known)
      else {
        boards.delete(name)
        change()
      }
      return problem
    },
    async open(name) {
      const board = boards.get(name)
      if (board === undefined) return undefined
      const port = await choose(board.getSnapshot().kind)
      if (port === undefined || 'problem' in port) return port?.problem
      const user = userOf(port)
      return user === undefined ? await board.open(port) : words.inUse(user.getSnapshot().name)
    },
    close: async (name) => await boards.get(name)?.close(),
    async forget(name) {
      const board = boards.get(name)
      // One that is opened right now would stay open for nobody.
      if (board === undefined || board.getSnapshot().state === 'opening') return
      const [port, ...others] = [board.port() ?? (await freePorts(board.getSnapshot().kind))].flat()
      await board.close()
      boards.delete(name)
      memory.write(memory.read().filter((each) => each.name !== name))
      change()
      if (others.length === 0) await port?.forget?.()
    },
    arm(name, seconds) {
      const board = boards.get(name)
      return board === undefined ? GONE.refusal : board.arm(seconds)
    },
    disarm: (name) => boards.get(name)?.disarm(),
    async send(name, channel, value) {
      const board = boards.get(name)
      return board === undefined ? GONE : await board.send(channel, value)
    },
    async sendText(name, text) {
      const board = boards.get(name)
      return board === undefined ? GONE : await board.sendText(text)
    },
    refusal: (name) => boards.get(name)?.refusal(),
    lines: (name) => boards.get(name)?.lines() ?? NO_LINES,
    followLines: (name, listener) => boards.get(name)?.followLines(listener) ?? (() => undefined),
    followValues(listener) {
      valueListeners.add(listener)
      return () => valueListeners.delete(listener)
    },
    stop() {
      isHeld = true
      heed()
      change()
    },
    release() {
      isHeld = false
      heed()
      change()
    },
    hear(news) {
      const isOther = news.hearsOfStop !== server.hearsOfStop || news.isStopped !== server.isStopped
      server = news
      // From here on the server holds it, and its release ends it.
      const wasHeld = isHeld
      if (news.isStopped) isHeld = false
      if (!isOther && wasHeld === isHeld) return
      heed()
      change()
    },
  }
}

const isSameKind = (one: PortKind, other: PortKind) =>
  one.usbVendorId === other.usbVendorId && one.usbProductId === other.usbProductId

/** A member that is there and undefined is no filter to a browser. */
function filterOf({ usbVendorId, usbProductId }: PortKind): PortKind {
  return usbProductId === undefined ? { usbVendorId } : { usbVendorId, usbProductId }
}
