import { createServer } from 'node:net'
import { freePort } from '@patchbay/testkit/ports'

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
