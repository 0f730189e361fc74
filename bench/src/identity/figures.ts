import type { StreamMemoryRounds, StreamMemorySizes } from './stream-memory.ts'
import type { ThroughputResult, ThroughputSizes } from './throughput.ts'
import type { WakeRounds, WakeSizes } from './wake.ts'

/** Everything that one run has measured. */
export interface IdentityFigures {
  readonly throughput: ThroughputResult
  readonly memory: StreamMemoryRounds
  readonly wake: WakeRounds
  readonly sizes: IdentitySizes
}

export interface IdentitySizes {
  readonly throughput: ThroughputSizes
  readonly memory: StreamMemorySizes
  readonly wake: WakeSizes
}

export const GOALS = { throughput: 0.6, memory: 1.5 }
