import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'

/** The least that `ws` can be used with: one shared message handler, nothing else. */
const server = createServer()
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })

function onMessage(): void {}
function onError(): void {}

server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (client) => {
    client.on('message', onMessage)
    client.on('error', onError)
  })
})

server.listen({ port: Number(process.argv[2]), host: '127.0.0.1', backlog: 4096 })
