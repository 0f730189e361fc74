// The least that holds event streams: node:http, one set, one timer that pings them.
import { createServer, type ServerResponse } from 'node:http'

const PING_MS = 15_000
const PING = ': ping\n\n'
const open = new Set<ServerResponse>()

const server = createServer((_request, response) => {
  open.add(response)
  response.once('close', () => open.delete(response))
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
  })
  response.write(PING)
})
setInterval(() => {
  for (const response of open) response.write(PING)
}, PING_MS)

server.listen({ port: Number(process.argv[2]), host: '127.0.0.1', backlog: 4096 })
