import type { CallbackResult } from './callbacks.ts'
import type { FlowRounds } from './flows.ts'
import type { MemoryRounds } from './idle-memory.ts'
import type { PendingCost } from './pending.ts'

/** Everything that one run has measured. */
export interface GatewayFigures {
  readonly callbacks: CallbackResult
  readonly flows: FlowRounds
  readonly pending: readonly PendingCost[]
  readonly memory: MemoryRounds
  readonly sizes: {
    readonly sockets: number
    readonly callbacks: { readonly states: number }
    readonly flows: { readonly flows: number }
    readonly memory: { readonly sockets: number }
  }
}

export const GOALS = { throughput: 0.85, p99: 1.25, memory: 1.25 }
