import { connect } from 'node:net'
import { inLanes } from '../processes.ts'
import { type IntentRange, numbered, USER_AGENT, VERIFIER } from './intents.ts'

/** One open event stream, as an application holds it. */
export interface StreamSocket {
  readonly isOpen: boolean
  /** Everything after the head, once the server has ended the stream. */
  readonly ended: Promise<string>
  close(): void
}

const FIRST_PING = ': ping\n\n'

/** Resolves at the first ping; anything but a stream is refused. */
export function openStream(port: number, number: number): Promise<StreamSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<StreamSocket>()
  const ended = Promise.withResolvers<string>()
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const lines = [
    `GET /auth/intents/${numbered(number)}/status HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    'accept: text/event-stream',
    `intent-verifier: ${VERIFIER}`,
    `user-agent: ${USER_AGENT}`,
  ]
  let text = ''
  let isOpen = false
  socket.setEncoding('latin1')
  socket.on('connect', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`))
  socket.on('data', (chunk: string) => {
    text += chunk
    if (isOpen) {
      // A chunked answer ends with an empty chunk.
      if (text.endsWith('\r\n0\r\n\r\n')) ended.resolve(text)
      return
    }
    if (text.includes('\r\n\r\n') && !text.startsWith('HTTP/1.1 200')) socket.destroy()
    if (!text.includes(FIRST_PING)) return
    text = ''
    isOpen = true
    resolve({
      get isOpen() {
        return isOpen
      },
      ended: ended.promise,
      close: () => void socket.destroy(),
    })
  })
  socket.on('error', reject)
  socket.on('close', () => {
    isOpen = false
    reject(new Error(`the stream was refused: ${text}`))
    ended.resolve(text)
  })
  return promise
}

/** Several at a time, so that none waits for the others' handshakes. */
export async function openStreams(
  port: number,
  { from, count }: IntentRange,
): Promise<readonly StreamSocket[]> {
  const opened: StreamSocket[] = []
  await inLanes(64, count, async (index) => void opened.push(await openStream(port, from + index)))
  return opened
}

/** A stream that ends without the session, or with it twice, was not woken as it should be. */
export function requireEvent(text: string): void {
  const events = text.match(/event: \w+\ndata: \{"session_token":"tok_[\w-]{43}"\}\n\n/g) ?? []
  if (events.length !== 1 || !text.includes('event: authenticated'))
    throw new Error(`a stream ended with ${JSON.stringify(text)}`)
}
