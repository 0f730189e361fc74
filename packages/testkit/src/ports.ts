import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Below what operating systems give to outgoing connections (32,768 upwards on Linux): of those, thousands a second come
 * and go in a test run, and one of them would sooner or later sit on the port of an engine that is being restarted.
 */
const LOWEST = 20_000
const HIGHEST = 32_000
const ATTEMPTS = 50

/**
 * A port that was free a moment ago. Engines that cannot bind port 0 themselves take it;
 * whoever starts one must retry with another, because a parallel test may win the race for it.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(LOWEST, HIGHEST)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port between ${LOWEST} and ${HIGHEST}`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const free = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (free) await new Promise<void>((resolve) => server.close(() => resolve()))
  return free
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
