// Loaded into a node with `--import`: says how much memory it takes when its parent asks.
import { setTimeout as sleep } from 'node:timers/promises'

/** Several collections: buffers are freed by finalizers, which need a turn of the loop. */
async function answer(): Promise<void> {
  if (globalThis.gc === undefined) throw new Error('start with --expose-gc')
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc()
    await sleep(50)
  }
  const { rss, heapUsed } = process.memoryUsage()
  process.send?.({ rss, heapUsed })
}

process.on('message', () => void answer())
process.once('disconnect', () => process.exit(0))
