import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below those of outgoing connections, one of which could take a free port before it is used. */
const LOWEST = 20_000
const HIGHEST = 32_000
const ATTEMPTS = 50

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(LOWEST, HIGHEST)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port between ${LOWEST} and ${HIGHEST}`)
}

/** The wanted port, or a free one when somebody has it. */
export async function portOrFree(wanted: number): Promise<number> {
  return (await isFree(wanted)) ? wanted : await freePort()
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const free = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return free
}
