import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes in buffers that somebody still holds. */
export function heldBytes(): number {
  collectGarbage()
  // Buffers are given back in the background; only the next collection waits for that.
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

export interface MemoryProbe extends Disposable {
  readonly sample: () => void
  /** How many bytes more than at the start were held at once, at most, as the samples saw it. */
  readonly peak: () => number
}

/** Samples when told, and by itself in between. */
export function probeMemory(): MemoryProbe {
  const before = heldBytes()
  let peak = 0
  const sample = () => {
    peak = Math.max(peak, heldBytes() - before)
  }
  const sampleAgain = () => {
    const began = performance.now()
    sample()
    // Collecting takes long in a large process: most of the time must be left to the work.
    timer = setTimeout(sampleAgain, 5 * (performance.now() - began))
  }
  let timer = setTimeout(sampleAgain, 10)
  return { sample, peak: () => peak, [Symbol.dispose]: () => clearTimeout(timer) }
}
