// The way of a panel command with nothing around it: an HTTP request, Redis to the other node, a WebSocket message to the
// page, its echo, Redis back, the answer. node:http, ws and ioredis; no rights, no rows, no deadlines. With a database, what
// an action reads and writes comes first.
import { createServer, type ServerResponse } from 'node:http'
import { Redis } from 'ioredis'
import { type WebSocket, WebSocketServer } from 'ws'
import { openStatements } from './bare-statements.ts'

const [port = '', redisUrl = '', name = '', other = '', databaseUrl] = process.argv.slice(2)
const redis = new Redis(redisUrl)
const statements = databaseUrl === undefined ? undefined : openStatements(databaseUrl, redis)
const subscriber = new Redis(redisUrl)
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
const waiting = new Map<string, ServerResponse>()
let page: WebSocket | undefined
let asked = 0

/** `node question body` on its way to the page, a bare number on its way back. */
subscriber.on('message', (_channel: string, message: string) => {
  if (message.includes(' ')) {
    page?.send(message)
    return
  }
  waiting.get(message)?.writeHead(204).end()
  waiting.delete(message)
})

function onEcho(data: Buffer): void {
  const [from = '', question = ''] = data.toString().split(' ', 2)
  void redis.publish(from, question)
}

const server = createServer((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    const body = Buffer.concat(pieces).toString()
    const ask = () => {
      asked += 1
      const question = asked.toString(36)
      waiting.set(question, response)
      void redis.publish(other, `${name} ${question} ${body}`)
    }
    if (statements === undefined) ask()
    else void statements(request.url ?? '', request.headers, JSON.parse(body)).then(ask)
  })
})

server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (client) => {
    page = client
    client.on('message', onEcho).on('error', () => undefined)
  })
})

await subscriber.subscribe(name)
server.listen({ port: Number(port), host: '127.0.0.1' })
process.once('SIGTERM', () => process.exit(0))
