import type { WebSerialPort } from './web-serial.ts'

export interface PortUse {
  readonly speed: number
  /** Answers for how many milliseconds to read nothing. */
  readonly onBytes: (bytes: Uint8Array) => number
  /** Some did not arrive. */
  readonly onGap: () => void
  /** It is gone. */
  readonly onLost: () => void
}

export interface OpenPort {
  /** Settles when the port has taken it. What it does not take in time is not sent anymore. */
  write(text: string): Promise<void>
  /** Ahead of what has not been sent yet, which is not sent anymore. */
  writeFirst(text: string): Promise<void>
  close(): Promise<void>
}

/** What arrives while a page is busy for a moment. */
const BUFFER_BYTES = 16 * 1_024
const WRITE_MS = 2_000
const END_MS = 1_000
const MOST_WRITES = 64
/** A line with the wrong speed can be nothing but noise. */
const NOISE_PAUSE_MS = 50

export async function openPort(port: WebSerialPort, use: PortUse): Promise<OpenPort> {
  await port.open({ baudRate: use.speed, bufferSize: BUFFER_BYTES })
  let isClosing = false
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  let writer: WritableStreamDefaultWriter<Uint8Array> | undefined
  let dropping = Promise.resolve()
  let unwritten = 0
  /** Moves when something goes ahead of what waits. */
  let turns = 0
  let endPause = () => {}

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  async function readStream(stream: ReadableStream<Uint8Array>): Promise<'ended' | 'noise'> {
    reader = stream.getReader()
    try {
      for (;;) {
        const part = await reader.read().catch(() => undefined)
        if (part === undefined) return 'noise'
        if (part.done) return 'ended'
        const waitMs = use.onBytes(part.value)
        if (waitMs > 0 && !isClosing) await pause(waitMs)
      }
    } finally {
      reader.releaseLock()
      reader = undefined
    }
  }

  async function read(): Promise<void> {
    for (;;) {
      const stream = port.readable
      if (stream === null || isClosing) return
      const end = await readStream(stream)
      if (end === 'ended' || port.readable === stream) return
      use.onGap()
      await pause(NOISE_PAUSE_MS)
    }
  }

  function dropWrites(): Promise<void> {
    const dropped = writer
    if (dropped === undefined) return dropping
    writer = undefined
    dropping = within(dropped.abort(), END_MS)
      .catch(ignore)
      .then(() => dropped.releaseLock())
    return dropping
  }

  async function put(text: string): Promise<void> {
    const turn = turns
    unwritten += 1
    try {
      // The stream that is being ended is the only one until then.
      await dropping
      if (turn !== turns || isClosing) throw new Error('it is not sent anymore')
      writer ??= port.writable?.getWriter()
      if (writer === undefined) throw new Error('the port is closed')
      const used = writer
      await within(used.write(encoder.encode(text)), WRITE_MS).catch(async (error: unknown) => {
        if (writer === used) await dropWrites()
        throw error
      })
    } finally {
      unwritten -= 1
    }
  }

  async function shut(): Promise<void> {
    isClosing = true
    endPause()
    await within(reader?.cancel() ?? Promise.resolve(), END_MS).catch(ignore)
    await dropWrites()
    await within(port.close(), END_MS).catch(ignore)
  }

  void read().then(async () => {
    if (isClosing) return
    await shut()
    use.onLost()
  })
  return {
    async write(text) {
      if (unwritten >= MOST_WRITES) throw new Error('too much is on its way')
      await put(text)
    },
    async writeFirst(text) {
      turns += 1
      if (unwritten > 0) void dropWrites()
      await put(text)
    },
    close: shut,
  }
}

const encoder = new TextEncoder()
const ignore = () => undefined

async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('too late')), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
