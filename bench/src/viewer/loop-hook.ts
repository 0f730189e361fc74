// Loaded into the viewer with `--import`, so that the product has no code for its measurement.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 1
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delays.enable()

export interface LoopReading {
  /** The longest time that nothing else could run, since the reading before. */
  readonly longestMs: number
}

process.on('message', () => {
  const longestMs = Math.max(0, delays.max / 1e6 - RESOLUTION_MS)
  delays.reset()
  process.send?.({ longestMs } satisfies LoopReading)
})
process.once('disconnect', () => process.exit(0))
