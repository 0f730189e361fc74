import { createServer } from 'node:net'

/**
 * A port that was free a moment ago. Engines that cannot bind port 0 themselves take it;
 * whoever starts one must retry with another, because a parallel test may win the race for it.
 */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  if (address === null || typeof address === 'string') throw new Error('no TCP address')
  return address.port
}

/** Runs `start` with fresh ports until one attempt succeeds. */
export async function withFreePort<T>(start: (port: number) => Promise<T>, attempts = 5): Promise<T> {
  let last: unknown
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = await freePort()
    try {
      return await start(port)
    } catch (error) {
      last = error
    }
  }
  throw last
}
