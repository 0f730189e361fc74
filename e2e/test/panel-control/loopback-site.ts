import { createServer, type RequestListener } from 'node:http'

export interface LoopbackSite extends AsyncDisposable {
  readonly url: string
  /** How often somebody connected. */
  connections(): number
}

/** A site of somebody else: another port is another origin. */
export async function startLoopbackSite(answer: RequestListener): Promise<LoopbackSite> {
  let connections = 0
  const server = createServer(answer)
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no TCP address')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}
