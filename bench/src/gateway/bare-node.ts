// The gateway's promise with nothing around it: node:http, ws, ioredis, one script that claims and publishes.
// `script` answers the person once Redis has published; `acknowledged` once the owner's socket has taken the code.
import { createServer, type ServerResponse } from 'node:http'
import { Redis } from 'ioredis'
import { type WebSocket, WebSocketServer } from 'ws'

const [port = '', redisUrl = '', name = '', answersAfter = ''] = process.argv.slice(2)
const acknowledges = answersAfter === 'acknowledged'
const LIFETIME_SECONDS = 600

const DELIVER = `
local owner = redis.call('GETDEL', KEYS[1])
if not owner then return 0 end
local node, connection = string.match(owner, '^(%S+) (%S+)$')
redis.call('PUBLISH', node, ARGV[1] .. ' ' .. connection .. ' ' .. ARGV[2])
return 1
`

const redis = new Redis(redisUrl)
const subscriber = new Redis(redisUrl)
const script = String(await redis.script('LOAD', DELIVER))

const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
const connections = new Map<string, WebSocket>()
const ids = new WeakMap<WebSocket, string>()
const waiting = new Map<string, ServerResponse>()
let opened = 0
let asked = 0

async function register(socket: WebSocket, text: string): Promise<void> {
  const { state } = JSON.parse(text) as { state: string }
  const claim = `${name} ${ids.get(socket)}`
  const set = await redis.set(state, claim, 'EX', LIFETIME_SECONDS, 'NX')
  socket.send(JSON.stringify({ type: set === 'OK' ? 'registered' : 'error', state }))
}

function onMessage(this: WebSocket, data: Buffer): void {
  void register(this, data.toString())
}

function onClose(this: WebSocket): void {
  connections.delete(ids.get(this) ?? '')
}

function onError(): void {}

function answer(response: ServerResponse, outcome: string): void {
  response.writeHead(303, { location: `/callback/result/${outcome}`, 'content-length': '0' }).end()
}

/** `asking node/question connection frame`, or the bare number of a question that was answered. */
subscriber.on('message', (_channel: string, message: string) => {
  const first = message.indexOf(' ')
  if (first === -1) {
    const response = waiting.get(message)
    waiting.delete(message)
    if (response !== undefined) answer(response, 'done')
    return
  }
  const second = message.indexOf(' ', first + 1)
  const [from = '', question = ''] = message.slice(0, first).split('/')
  const socket = connections.get(message.slice(first + 1, second))
  const frame = message.slice(second + 1)
  if (acknowledges) socket?.send(frame, () => void redis.publish(from, question))
  else socket?.send(frame)
})

const server = createServer((request, response) => {
  const target = request.url ?? ''
  const query = new URLSearchParams(target.slice(target.indexOf('?') + 1))
  const state = query.get('state') ?? ''
  const frame = JSON.stringify({
    type: 'callback',
    state,
    code: query.get('code'),
    query: Object.fromEntries(query),
  })
  asked += 1
  const question = asked.toString(36)
  if (acknowledges) waiting.set(question, response)
  void redis.evalsha(script, 1, state, `${name}/${question}`, frame).then((claimed) => {
    if (claimed === 1 && acknowledges) return
    waiting.delete(question)
    answer(response, claimed === 1 ? 'done' : 'unknown-state')
  })
})

server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (client) => {
    opened += 1
    const id = opened.toString(36)
    ids.set(client, id)
    connections.set(id, client)
    client.on('message', onMessage).on('close', onClose).on('error', onError)
  })
})

await subscriber.subscribe(name)
server.listen({ port: Number(port), host: '127.0.0.1', backlog: 4096 })
process.once('SIGTERM', () => process.exit(0))
