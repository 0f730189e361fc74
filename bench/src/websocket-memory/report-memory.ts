import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Listening, MemoryReading } from './protocol.ts'

/** Listens on a free port of the loopback and answers every message of the parent with a reading. */
export function reportMemory(server: Server, connections: () => number): void {
  process.on('message', () => void answer(connections()))
  process.once('disconnect', () => process.exit(0))
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no TCP address')
    process.send?.({ port: address.port } satisfies Listening)
  })
}

/** Several collections: buffers are freed by finalizers, which need a turn of the loop. */
async function answer(connections: number): Promise<void> {
  if (globalThis.gc === undefined) throw new Error('start with --expose-gc')
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc()
    await sleep(50)
  }
  const { rss, heapUsed } = process.memoryUsage()
  process.send?.({ rss, heapUsed, connections } satisfies MemoryReading)
}
