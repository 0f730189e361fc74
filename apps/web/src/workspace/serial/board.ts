import type { DeviceValue } from '@patchbay/contracts/devices'
import { DEVICE_LIMITS } from '@patchbay/contracts/limits'
import {
  type ChannelBinding,
  createSerialBoard,
  type DeviceInfo,
  type SerialBoard,
  writeStop,
} from '@patchbay/device-kit'
import type { SerialLine } from '../instruments/serial-console.tsx'
import { createConsoleLines } from './console-lines.ts'
import { type OpenPort, openPort } from './open-port.ts'
import type { RememberedBoard } from './remembered-boards.ts'
import type { WebSerialPort } from './web-serial.ts'
import { words } from './words.ts'

export interface BoardSnapshot extends RememberedBoard {
  /** `lost`: it was unplugged, and is connected again when it is back. */
  readonly state: 'closed' | 'opening' | 'open' | 'lost'
  readonly openedAt: number | undefined
  readonly info: DeviceInfo | undefined
  readonly channels: readonly ChannelBinding[]
  /** Milliseconds since 1970. */
  readonly armedUntil: number | undefined
  /** What went wrong last, in words. */
  readonly problem: string | undefined
}

export interface BoardValue {
  readonly channel: string
  readonly value: DeviceValue
  readonly at: number
}

/** Why nothing may be sent now. */
export type Refusal = 'mayOnlyLook' | 'away' | 'stopped' | 'offline' | 'notArmed'
/** Why something was not sent: a reason that may be over soon, or one in words. */
export type SendFault = { readonly refusal: Refusal } | { readonly text: string }

/** What holds for all boards of a page. */
export interface BoardRules {
  /** Whether the person may. */
  readonly mayChange: boolean
  /** Whether the page would hear of a stop. */
  readonly hearsOfStop: boolean
  readonly isStopped: boolean
}

export interface BoardOptions {
  readonly known: RememberedBoard
  readonly rules: () => BoardRules
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly onChange: () => void
  readonly onValues: (values: readonly BoardValue[]) => void
}

export interface Board {
  getSnapshot(): BoardSnapshot
  /** The one that it is open on. */
  port(): WebSerialPort | undefined
  /** Answers what went wrong. */
  open(port: WebSerialPort): Promise<string | undefined>
  close(): Promise<void>
  /** Answers why it cannot be. */
  arm(seconds: number): Refusal | undefined
  disarm(): void
  /** Why text cannot be sent now. */
  refusal(): Refusal | undefined
  send(channel: string, value: DeviceValue): Promise<SendFault | undefined>
  sendText(text: string): Promise<SendFault | undefined>
  /** The rules are others than before. */
  heed(): void
  lines(): readonly SerialLine[]
  followLines(listener: () => void): () => void
}

const FLUSH_MS = 1_000 / DEVICE_LIMITS.rate

export function createBoard({ known, rules, now, onChange, onValues }: BoardOptions): Board {
  let snapshot: BoardSnapshot = {
    ...known,
    state: 'closed',
    openedAt: undefined,
    info: undefined,
    channels: [],
    armedUntil: undefined,
    problem: undefined,
  }
  let link: OpenPort | undefined
  let port: WebSerialPort | undefined
  let said: SerialBoard = createSerialBoard()
  let arming: ReturnType<typeof setTimeout> | undefined
  let flushing: ReturnType<typeof setTimeout> | undefined
  let isToldStop = false
  let isRepeating = false
  let hasSpoken = false
  let isDescribed = false
  const fresh = new Map<string, BoardValue>()
  const lines = createConsoleLines()
  const lineListeners = new Set<() => void>()

  function change(next: Partial<BoardSnapshot>): void {
    snapshot = { ...snapshot, ...next }
    onChange()
  }

  function flushSoon(): void {
    flushing ??= setTimeout(flush, FLUSH_MS)
  }

  function flush(): void {
    flushing = undefined
    if (isDescribed) describe()
    const values = [...fresh.values()]
    fresh.clear()
    if (values.length > 0) onValues(values)
    for (const listener of lineListeners) listener()
  }

  function describe(): void {
    isDescribed = false
    const next = { info: said.info(), channels: said.channels() }
    const { info, channels } = snapshot
    // Boards say it every few seconds.
    if (JSON.stringify(next) !== JSON.stringify({ info, channels })) change(next)
  }

  function take(bytes: Uint8Array): number {
    const at = now()
    const input = said.take(bytes, performance.now())
    lines.take(input.lines, at)
    for (const value of input.values) fresh.set(value.channel, { at, ...value })
    if (input.isDescribed) isDescribed = true
    if (isToldStop && (input.isDescribed || !hasSpoken)) repeatStop()
    hasSpoken = true
    flushSoon()
    return input.waitMs
  }

  /** It may have begun only now, and know nothing of the stop. */
  function repeatStop(): void {
    if (isRepeating || link === undefined) return
    isRepeating = true
    void tellStop(link, true).finally(() => {
      isRepeating = false
    })
  }

  async function tellStop(to: OpenPort, isStopped: boolean): Promise<void> {
    const text = writeStop(isStopped)
    try {
      await (isStopped ? to.writeFirst(text) : to.write(text))
      lines.sent(text.trim(), now())
      flushSoon()
    } catch {
      if (link === to) change({ problem: isStopped ? words.notStopped : words.notReleased })
    }
  }

  function heed(): void {
    const { isStopped, hearsOfStop } = rules()
    if (isStopped) disarm()
    if (link === undefined) return
    if (isStopped && !isToldStop) {
      isToldStop = true
      void tellStop(link, true)
    } else if (!isStopped && isToldStop && hearsOfStop) {
      isToldStop = false
      void tellStop(link, false)
    }
  }

  function disarm(): void {
    clearTimeout(arming)
    if (snapshot.armedUntil !== undefined) change({ armedUntil: undefined })
  }

  const isArmed = () => snapshot.armedUntil !== undefined && snapshot.armedUntil > now()

  function refusalOf(isGuarded: boolean): Refusal | undefined {
    const { mayChange, hearsOfStop, isStopped } = rules()
    if (!mayChange) return 'mayOnlyLook'
    if (!hearsOfStop) return 'away'
    if (isStopped) return 'stopped'
    if (link === undefined) return 'offline'
    return isGuarded && !isArmed() ? 'notArmed' : undefined
  }

  const refusal = () =>
    refusalOf(said.channels().some(({ isGuarded, takesCommands }) => isGuarded && takesCommands))

  async function put(text: string): Promise<SendFault | undefined> {
    try {
      await link?.write(text)
    } catch {
      return { text: words.notTaken }
    }
    lines.sent(text, now())
    flushSoon()
    return undefined
  }

  function end(state: 'closed' | 'lost', problem?: string): void {
    link = undefined
    port = undefined
    isToldStop = false
    disarm()
    change({ state, openedAt: undefined, problem })
  }

  return {
    getSnapshot: () => snapshot,
    port: () => port,
    async open(chosen) {
      if (snapshot.state === 'opening' || link !== undefined) return undefined
      port = chosen
      said = createSerialBoard()
      hasSpoken = false
      change({ state: 'opening', problem: undefined })
      try {
        const opened = await openPort(chosen, {
          speed: known.speed,
          onBytes: take,
          onGap: () => said.lose(),
          onLost: () => {
            if (link === opened) end('lost', words.unplugged)
          },
        })
        link = opened
      } catch {
        end('closed', words.notOpened)
        return words.notOpened
      }
      change({ state: 'open', openedAt: now() })
      heed()
      return undefined
    },
    async close() {
      const closed = link
      if (closed === undefined && snapshot.state !== 'lost') return
      end('closed')
      await closed?.close()
    },
    arm(seconds) {
      const refused = refusalOf(false)
      if (refused !== undefined) return refused
      clearTimeout(arming)
      arming = setTimeout(disarm, seconds * 1_000)
      change({ armedUntil: now() + seconds * 1_000 })
      return undefined
    },
    disarm,
    refusal,
    async send(name, value) {
      const channel = said.channels().find((each) => each.name === name)
      const refused = refusalOf(channel?.isGuarded === true)
      if (refused !== undefined) return { refusal: refused }
      if (channel === undefined) return { text: words.unknown }
      const written = said.write(name, value)
      return 'fault' in written ? { text: written.fault } : await put(written.line)
    },
    async sendText(text) {
      const refused = refusal()
      if (refused !== undefined) return { refusal: refused }
      if (text.length > DEVICE_LIMITS.valueBytes) return { text: words.tooLong(DEVICE_LIMITS.valueBytes) }
      return await put(text)
    },
    heed,
    lines: () => lines.read(said.pending(), now()),
    followLines(listener) {
      lineListeners.add(listener)
      return () => lineListeners.delete(listener)
    },
  }
}
