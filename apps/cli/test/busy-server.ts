import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that is there and cannot answer for an hour: nobody asks it again, as they would one that is gone. */
export async function startBusyServer(): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = createServer((_request, response) =>
    response.writeHead(503, { 'retry-after': '3600' }).end(),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
