import { createServer } from 'node:http'

export interface FaultyNode extends AsyncDisposable {
  readonly port: number
  /** How many requests reached it, probes aside. */
  received(): number
}

/** A node that passes every probe, takes a request, and then breaks the connection, stays silent, or answers what it got. */
export async function startFaultyNode(fault: 'breaks' | 'is silent' | 'answers'): Promise<FaultyNode> {
  let received = 0
  const server = createServer((request, response) => {
    if (request.url === '/ready') {
      response.writeHead(200).end()
      return
    }
    received += 1
    if (fault === 'breaks') request.socket.destroy()
    if (fault === 'answers') request.pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no TCP address')
  return {
    port: address.port,
    received: () => received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
