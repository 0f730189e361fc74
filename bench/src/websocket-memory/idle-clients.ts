import { connect, type Socket } from 'node:net'
import type { Opened } from './protocol.ts'

const HANDSHAKES_AT_ONCE = 64
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])
const REQUEST = [
  'GET / HTTP/1.1',
  'host: 127.0.0.1',
  'connection: Upgrade',
  'upgrade: websocket',
  'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-version: 13',
  '\r\n',
].join('\r\n')

const open: Socket[] = []
const [port = 0, count = 0] = process.argv.slice(2).map(Number)

async function openMany(): Promise<void> {
  for (let left = count - open.length; left > 0; left = count - open.length) await openOne()
}

/** A handshake by hand: a client library per connection would only slow the measurement down. */
function openOne(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    open.push(socket)
    socket.once('error', reject)
    socket.once('connect', () => socket.write(REQUEST))
    socket.once('data', (answer) => {
      socket.on('data', () => socket.write(PONG))
      if (answer.toString('latin1').startsWith('HTTP/1.1 101')) resolve()
      else reject(new Error('the handshake was refused'))
    })
  })
}

process.once('disconnect', () => process.exit(0))
await Promise.all(Array.from({ length: HANDSHAKES_AT_ONCE }, openMany))
process.send?.({ opened: open.length } satisfies Opened)
