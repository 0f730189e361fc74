import { randomInt } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'

/**
 * Below what operating systems give to outgoing connections (32,768 upwards on Linux): of those, thousands a second come
 * and go in a test run, and one of them would sooner or later sit on the port of an engine that is being restarted.
 */
const LOWEST = 20_000
const HIGHEST = 32_000
const ATTEMPTS = 50

/**
 * A port that was free a moment ago, for what cannot bind port 0 itself. In a test run nobody else is given it, neither
 * now nor later: a server that is restarted finds its port as it left it.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(LOWEST, HIGHEST)
    if ((await isFree(port)) && (await reserve(port))) return port
  }
  throw new Error(`no free port between ${LOWEST} and ${HIGHEST}`)
}

/** Notes the port where all processes of the run look; false if one of them was first. */
async function reserve(port: number): Promise<boolean> {
  const folder = process.env['PATCHBAY_TEST_PORTS']
  if (folder === undefined) return true
  await mkdir(folder, { recursive: true })
  return await writeFile(join(folder, `${port}`), '', { flag: 'wx' }).then(
    () => true,
    () => false,
  )
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
