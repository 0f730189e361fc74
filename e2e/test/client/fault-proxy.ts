import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * What becomes of a connection: it is passed on, passed on unless it asks for a stream, turned away, held without an answer,
 * or answered with this text. With `to`, only requests that hold this are answered, or held without an answer.
 */
type Mode = 'pass' | 'refuse' | 'hold' | 'mute-streams' | Answering | Selecting

interface Answering {
  readonly answer: string
}

interface Selecting {
  readonly to: string
  readonly answer: string | undefined
}

export interface FaultProxy extends AsyncDisposable {
  readonly url: string
  /** Connections that were open when last looked at, and requests that were answered by the proxy itself. */
  open(): number
  answered(): number
  /** From now on; connections that are open are cut, so that it holds for the next request. */
  set(mode: Mode): void
  cut(): void
  /** Lets nothing more through on the connections there are, or on those of streams, without ending them. */
  freeze(which?: 'all' | 'streams'): void
}

const STREAM = 'text/event-stream'

/** A network between client and server that a test can break. */
export async function startFaultProxy(port: number): Promise<FaultProxy> {
  const sockets = new Set<Socket>()
  const streams = new WeakSet<Socket>()
  let mode: Mode = 'pass'
  let answered = 0
  const server = createServer((inner) => {
    sockets.add(inner)
    inner.on('error', () => undefined)
    inner.on('close', () => sockets.delete(inner))
    inner.on('data', (chunk: Buffer) => {
      if (chunk.includes(STREAM)) streams.add(inner)
    })
    if (mode === 'refuse') inner.destroy()
    else if (mode === 'hold') inner.resume()
    else if (mode === 'pass') passOn(inner, port)
    else if (mode === 'mute-streams') passOn(inner, port, { to: STREAM, answer: undefined })
    else if ('to' in mode) passOn(inner, port, mode)
    else {
      const { answer } = mode
      inner.once('data', () => {
        answered += 1
        inner.end(answer)
      })
    }
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: () => sockets.size,
    answered: () => answered,
    set(value) {
      // Those that it answered itself end by themselves; cut now, they would lose their answer.
      const isOwn = typeof mode === 'object'
      mode = value
      if (!isOwn) cut()
    },
    cut,
    freeze(which = 'all') {
      for (const socket of sockets) if (which === 'all' || streams.has(socket)) socket.cork()
    },
    async [Symbol.asyncDispose]() {
      cut()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

function passOn(inner: Socket, port: number, except?: Selecting): void {
  const outer = connect(port, '127.0.0.1')
  inner.on('data', (chunk: Buffer) => {
    if (except === undefined || !chunk.includes(except.to)) outer.write(chunk)
    else if (except.answer !== undefined) inner.end(except.answer)
  })
  outer.pipe(inner)
  inner.on('close', () => outer.destroy())
  outer.on('error', () => undefined)
  outer.on('close', () => inner.destroy())
}

/** An HTTP answer as bytes. */
export function rawAnswer(status: string, headers: Readonly<Record<string, string>> = {}, body = ''): string {
  const lines = Object.entries({
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...headers,
  })
  return [`HTTP/1.1 ${status}`, ...lines.map(([name, value]) => `${name}: ${value}`), '', body].join('\r\n')
}
