// From MQTT to WebSockets with nothing around it: aedes and ws. Whoever connects says which topics they want, and gets each
// message of them as it comes; no rights, no rows, no limits. As a broker alone, nobody watches.
import { createServer as createHttp } from 'node:http'
import { createServer as createTcp } from 'node:net'
import { Aedes } from 'aedes'
import { type WebSocket, WebSocketServer } from 'ws'

const [port = '', mqttPort = ''] = process.argv.slice(2)
const watchers = new Map<string, Set<WebSocket>>()
const aedes = await Aedes.createBroker()
aedes.on('publish', ({ topic, payload }) => {
  const sockets = watchers.get(topic)
  if (sockets === undefined) return
  const text = JSON.stringify({ topic, value: JSON.parse(payload.toString()) })
  for (const socket of sockets) socket.send(text)
})
createTcp({ noDelay: true }, (socket) => void aedes.handle(socket)).listen({
  port: Number(mqttPort),
  host: '127.0.0.1',
  backlog: 4096,
})

const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
const http = createHttp()
http.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (client) => {
    client.on('error', () => undefined)
    client.on('message', (data: Buffer) => {
      for (const topic of JSON.parse(data.toString()) as string[])
        watchers.set(topic, (watchers.get(topic) ?? new Set()).add(client))
      client.send('{}')
    })
  })
})
http.listen({ port: Number(port), host: '127.0.0.1' })
process.once('SIGTERM', () => process.exit(0))
