import { createServer } from 'node:http'

/** Answers /health as the gateway does, becomes sick when told to, and ends on SIGTERM. */
const port = Number(process.argv[2])
let sick = false

const server = createServer((request, response) => {
  if (request.url === '/sick') sick = true
  if (request.url === '/environment') response.end(JSON.stringify(process.env))
  else if (sick) response.writeHead(500).end()
  else
    response.end(
      JSON.stringify({ status: 'ok', instance: process.env['PATCHBAY_GATEWAY_INSTANCE'], pid: process.pid }),
    )
})
server.listen(port, '127.0.0.1')
process.on('SIGTERM', () => {
  process.stderr.write('draining\n')
  server.closeAllConnections()
  server.close(() => process.exit(0))
})
