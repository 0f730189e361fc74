import { parentPort } from 'node:worker_threads'
import type { ReadRequest } from '../../src/naming/reading.ts'

/** The height at which this thread ends as by a fault of the engine. */
const DEADLY_HEIGHT = 606

// First, or requests would be handed out before it listens.
await import('../../src/naming/read-text.worker.io.ts')

parentPort?.on('message', ({ height }: ReadRequest) => {
  // In a later turn, as what is thrown while the engine works.
  if (height === DEADLY_HEIGHT) setImmediate(() => JSON.parse('out of memory'))
})
