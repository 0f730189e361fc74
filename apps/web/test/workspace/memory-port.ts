import type { PortKind, WebSerial, WebSerialPort } from '../../src/workspace/serial/web-serial.ts'

const ARDUINO: PortKind = { usbVendorId: 0x2341, usbProductId: 0x43 }

/** A serial port in memory, with the board's end of it. */
export interface MemoryPort {
  readonly port: WebSerialPort
  /** What was sent to the board. */
  received(): string
  /** What the board says. Settles when it was taken and more is asked for. */
  say(text: string): Promise<void>
  /** Ends the stream as an error of the line does; the port has another one then. */
  disturb(): void
  /** It is gone. */
  unplug(): void
  /** Whether it takes what is sent; otherwise it waits, as with a board that does not. */
  takes: boolean
  readonly opened: { speed: number | undefined; times: number }
  readonly isForgotten: () => boolean
}

export function memoryPort(kind: PortKind = ARDUINO): MemoryPort {
  let readable: ReadableStream<Uint8Array> | null = null
  let writable: WritableStream<Uint8Array> | null = null
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let pull = () => {}
  let received = ''
  let isForgotten = false
  let isPlugged = true
  const opened: { speed: number | undefined; times: number } = { speed: undefined, times: 0 }

  const newReadable = () =>
    new ReadableStream<Uint8Array>(
      {
        start(given) {
          controller = given
        },
        pull: () => pull(),
      },
      { highWaterMark: 0 },
    )
  const newWritable = (): WritableStream<Uint8Array> =>
    new WritableStream<Uint8Array>({
      async write(bytes, { signal }) {
        if (!memory.takes)
          await new Promise<never>((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new Error('aborted')))
          })
        received += new TextDecoder().decode(bytes)
      },
      abort() {
        if (writable !== null) writable = newWritable()
      },
    })

  const memory: MemoryPort = {
    takes: true,
    opened,
    received: () => received,
    isForgotten: () => isForgotten,
    async say(text) {
      const isRead = new Promise<void>((resolve) => {
        pull = resolve
      })
      controller?.enqueue(new TextEncoder().encode(text))
      await isRead
    },
    disturb() {
      const broken = controller
      readable = newReadable()
      broken?.error(new Error('framing'))
    },
    unplug() {
      isPlugged = false
      readable = null
      writable = null
      controller?.error(new Error('the device is gone'))
    },
    port: {
      get readable() {
        return readable
      },
      get writable() {
        return writable
      },
      async open({ baudRate }) {
        if (!isPlugged || readable !== null) throw new Error('it cannot be opened')
        opened.speed = baudRate
        opened.times += 1
        readable = newReadable()
        writable = newWritable()
      },
      async close() {
        if (readable?.locked === true || writable?.locked === true) throw new Error('it is in use')
        readable = null
        writable = null
      },
      async forget() {
        isForgotten = true
      },
      getInfo: () => kind,
    },
  }
  return memory
}

/** The ports of a browser: those that were let before, and what the person chooses when asked. */
export interface MemorySerial extends WebSerial {
  permitted: readonly WebSerialPort[]
  /** `undefined`: the person closes the question. */
  chosen: WebSerialPort | undefined
  readonly asked: unknown[]
  plugIn(port: WebSerialPort): void
}

export function memorySerial(): MemorySerial {
  const events = new EventTarget()
  const serial: MemorySerial = {
    permitted: [],
    chosen: undefined,
    asked: [],
    getPorts: async () => serial.permitted,
    async requestPort(options) {
      serial.asked.push(options)
      if (serial.chosen === undefined) throw new DOMException('No port selected.', 'NotFoundError')
      if (!serial.permitted.includes(serial.chosen)) serial.permitted = [...serial.permitted, serial.chosen]
      return serial.chosen
    },
    addEventListener: (type, listener) => events.addEventListener(type, listener),
    plugIn(port) {
      serial.permitted = [...serial.permitted.filter((each) => each !== port), port]
      events.dispatchEvent(new Event('connect'))
    },
  }
  return serial
}
