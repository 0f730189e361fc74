import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { DEVICE_LIMITS } from '@patchbay/contracts/limits'
import { createStreamAcceptor } from '@patchbay/kernel/websocket'

export interface MqttPortOptions {
  readonly host: string
  readonly port: number
  /** The most of all devices; each holds a socket. */
  readonly connections: number
  /** Of the pages that may be devices over WebSocket. */
  readonly allowedOrigins: readonly string[]
  /** A connection whose first bytes are no HTTP, or the bytes inside a WebSocket. */
  readonly onConnection: (stream: Duplex) => void
}

const FIRST_WORD_WITHIN_MS = 10_000
/** A self-description with its topic and its head. */
const LARGEST_PACKET = DEVICE_LIMITS.infoBytes + 1_024
/** Clients put several packets into a message. */
const LARGEST_MESSAGE = 2 * LARGEST_PACKET
/** The first byte of `GET`. That of MQTT is 0x10. */
const HTTP = 0x47
/** The names of MQTT 3.1.1 and of 3.1. */
const PROTOCOLS = ['mqtt', 'mqttv3.1']

/** One port for MQTT over TCP and over WebSocket: the first byte says which it is. */
export async function openMqttPort({
  host,
  port,
  connections,
  allowedOrigins,
  onConnection,
}: MqttPortOptions): Promise<Server> {
  const accept = createStreamAcceptor({
    protocols: PROTOCOLS,
    allowedOrigins,
    maxMessageBytes: LARGEST_MESSAGE,
  })
  const http = createHttpServer({ maxHeaderSize: 8_192, keepAlive: false }, (_request, response) => {
    response.writeHead(426, { connection: 'close', upgrade: 'websocket' }).end()
  })
  http.on('clientError', (_error, socket) => socket.destroy())
  http.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    accept(request, socket, head, (stream) => {
      clearTimeout(waiting.get(socket))
      onConnection(boundPackets(stream))
    })
  })

  const waiting = new WeakMap<Duplex, NodeJS.Timeout>()
  const server = createServer({ noDelay: true, keepAlive: true }, (socket) => {
    // The broker's own deadline begins with what it is given: who says nothing, or a header without end, never gets there.
    const timer = setTimeout(() => socket.destroy(), FIRST_WORD_WITHIN_MS)
    waiting.set(socket, timer)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => clearTimeout(timer))
    socket.once('data', (bytes: Buffer) => {
      socket.pause()
      socket.unshift(bytes)
      if (bytes[0] === HTTP) {
        http.emit('connection', socket)
        socket.resume()
      } else {
        clearTimeout(timer)
        onConnection(boundPackets(socket))
      }
    })
  })
  server.maxConnections = connections
  server.listen(port, host)
  await once(server, 'listening')
  return server
}

/**
 * A packet says how long it is before it comes, and would be collected in memory up to 256 MB. What the broker reads is looked
 * at on its way: streams in between would cost each device more memory than the broker itself.
 */
function boundPackets<Stream extends Duplex>(stream: Stream): Stream {
  const read = stream.read.bind(stream)
  let skip = 0
  let length: { value: number; digits: number } | undefined
  const isBounded = (chunk: Buffer): boolean => {
    for (let at = 0; at < chunk.length; ) {
      if (skip > 0) {
        const part = Math.min(skip, chunk.length - at)
        skip -= part
        at += part
      } else if (length === undefined) {
        length = { value: 0, digits: 0 }
        at += 1
      } else {
        const byte = chunk[at] ?? 0
        length.value += (byte & 127) * 128 ** length.digits
        length.digits += 1
        at += 1
        if (length.value > LARGEST_PACKET || length.digits > 4) return false
        if ((byte & 128) === 0) {
          skip = length.value
          length = undefined
        }
      }
    }
    return true
  }
  stream.read = (size) => {
    const chunk: Buffer | null = read(size)
    if (chunk === null || isBounded(chunk)) return chunk
    stream.destroy(new Error('packet too large'))
    return null
  }
  return stream
}
