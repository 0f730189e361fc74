import { createServer } from 'node:http'
import { createLog } from '@patchbay/kernel/log'
import { attachWebSockets } from '@patchbay/kernel/websocket'

/** The same through the kernel, with everything on that an area would have on. */
const server = createServer()
const sockets = attachWebSockets(server, {
  log: createLog({ level: 'warn', process: 'bench' }),
  allowedHosts: ['127.0.0.1'],
  allowedOrigins: [],
  limits: { maxConnectionsPerAddress: 20_000 },
})

sockets.add<{ readonly user: string }>({
  path: '/ws',
  maxMessageBytes: 64 * 1024,
  rate: { perSecond: 20 },
  authenticate: async () => ({ user: 'somebody' }),
  onMessage() {},
})

server.listen({ port: Number(process.argv[2]), host: '127.0.0.1', backlog: 4096 })
