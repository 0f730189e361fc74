import { spawn } from 'node:child_process'

/** Ignores SIGTERM, and has a child in its group that does the same. The child's pid is printed by /health's server. */
process.on('SIGTERM', () => {})
const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM",()=>{});setInterval(()=>{},1000)'], {
  stdio: 'ignore',
})
const { createServer } = await import('node:http')
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
