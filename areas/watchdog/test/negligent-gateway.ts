import { spawn } from 'node:child_process'
import { createServer } from 'node:http'

/** Ends on SIGTERM and forgets its child. */
const child = spawn(process.execPath, ['-e', 'setInterval(()=>{},1000)'], { stdio: 'ignore' })
createServer((_request, response) => {
  response.end(
    JSON.stringify({
      status: 'ok',
      instance: process.env['PATCHBAY_GATEWAY_INSTANCE'],
      pid: process.pid,
      childPid: child.pid,
    }),
  )
}).listen(Number(process.argv[2]), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
