import { createServer } from 'node:http'
import type { Ended } from './commands.ts'

/** How a health check ends when its node answers with this status, and when there is no node anymore. */
export async function tryHealthCheck(status: number, check: (port: number) => Promise<Ended>) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = address === null || typeof address === 'string' ? 0 : address.port
  const { code } = await check(port)
  await new Promise((resolve) => server.close(resolve))
  return { asked, code, codeWithoutNode: (await check(port)).code }
}
