import type { Socket } from 'node:net'
import type { TestServer } from './start-server.ts'
import { type UpgradeRequest, upgradeText } from './upgrade-text.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly problem: Readonly<Record<string, unknown>>
}

/** Sends one request by hand and reads until the server closes. */
export async function ask(server: TestServer, request: UpgradeRequest = {}): Promise<Answer> {
  const socket = await server.tcp()
  socket.write(upgradeText(request))
  return parseAnswer(await readToEnd(socket))
}

export function readToEnd(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      text += chunk
    })
    socket.once('end', () => resolve(text))
    socket.once('close', () => resolve(text))
    socket.once('error', reject)
  })
}

export function parseAnswer(text: string): Answer {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [first = '', ...rest] = head.split('\r\n')
  const headers = Object.fromEntries(rest.map((line) => [line.split(': ')[0], line.split(': ')[1] ?? '']))
  const isProblem = headers['content-type'] === 'application/problem+json'
  const problem: Record<string, unknown> = isProblem ? JSON.parse(body) : {}
  return { status: Number(first.split(' ')[1]), headers, body, problem }
}

/** A handshake by hand; resolves with the socket once the server has switched protocols. */
export async function openRaw(
  server: TestServer,
  onData: (chunk: Buffer) => void = () => {},
): Promise<Socket> {
  const socket = await server.tcp()
  socket.write(upgradeText())
  socket.on('data', onData)
  await new Promise<void>((resolve, reject) => {
    socket.once('data', (chunk) => {
      if (chunk.toString('latin1').startsWith('HTTP/1.1 101')) resolve()
      else reject(new Error(chunk.toString('latin1')))
    })
  })
  return socket
}

/** A client's frame, masked with zeros. */
export function frame(opcode: number, payload: string, { fin = true } = {}): Buffer {
  const body = Buffer.from(payload)
  const head = [(fin ? 0x80 : 0) | opcode]
  if (body.length < 126) head.push(0x80 | body.length)
  else head.push(0x80 | 126, body.length >> 8, body.length & 0xff)
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), body])
}
