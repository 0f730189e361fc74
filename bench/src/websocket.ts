import { connect } from 'node:net'

/** A WebSocket by hand: a client library would take more of a small machine than the servers under test. */
export interface ClientSocket {
  send(text: string): void
  /** Says goodbye and waits until the server has hung up. */
  close(): Promise<void>
}

const PING = 9
const TEXT = 1
const CLOSE = 8
const PONG_FRAME = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])
const GOODBYE = Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8])
const HEADERS_END = '\r\n\r\n'
const EMPTY = Buffer.alloc(0)

function handshake(port: number): string {
  return [
    'GET /ws HTTP/1.1',
    `host: 127.0.0.1:${port}`,
    'connection: Upgrade',
    'upgrade: websocket',
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-version: 13',
    '\r\n',
  ].join('\r\n')
}

export function openSocket(
  port: number,
  onText: (text: string) => void,
  onEnd: () => void,
): Promise<ClientSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<ClientSocket>()
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const ended = Promise.withResolvers<void>()
  let rest: Buffer = EMPTY
  let upgraded = false

  const upgrade = () => {
    const end = rest.indexOf(HEADERS_END)
    if (end === -1) return
    if (!rest.toString('latin1', 0, end).startsWith('HTTP/1.1 101')) {
      socket.destroy(new Error(`the handshake was refused: ${rest.toString('latin1', 0, end)}`))
      return
    }
    rest = rest.subarray(end + HEADERS_END.length)
    upgraded = true
    resolve({
      send: (text) => void socket.write(textFrame(text)),
      close() {
        socket.write(GOODBYE)
        return ended.promise
      },
    })
  }
  const read = (opcode: number, payload: Buffer) => {
    if (opcode === TEXT) onText(payload.toString('utf8'))
    else if (opcode === PING) socket.write(PONG_FRAME)
    else if (opcode === CLOSE) socket.end()
  }
  socket.on('connect', () => void socket.write(handshake(port)))
  socket.on('data', (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    if (!upgraded) upgrade()
    if (upgraded) rest = readFrames(rest, read)
  })
  socket.on('error', reject)
  socket.on('close', () => {
    reject(new Error('the server hung up'))
    ended.resolve()
    if (upgraded) onEnd()
  })
  return promise
}

/** Hands over every whole frame and returns what is left. Servers do not mask. */
function readFrames(bytes: Buffer, onFrame: (opcode: number, payload: Buffer) => void): Buffer {
  let at = 0
  while (bytes.length - at >= 2) {
    const short = bytes.readUInt8(at + 1)
    const start = at + (short === 126 ? 4 : 2)
    if (bytes.length < start) break
    const end = start + (short === 126 ? bytes.readUInt16BE(at + 2) : short)
    if (bytes.length < end) break
    onFrame(bytes.readUInt8(at) & 0x0f, bytes.subarray(start, end))
    at = end
  }
  return at === bytes.length ? EMPTY : bytes.subarray(at)
}

/** Masked with zeros, which leaves the text as it is. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  const length = payload.length < 126 ? [0x80 | payload.length] : [0xfe, payload.length >> 8, payload.length]
  return Buffer.concat([Buffer.from([0x80 | TEXT, ...length, 0, 0, 0, 0]), payload])
}
