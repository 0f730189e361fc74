import type { Log, Secret } from '@patchbay/kernel/log'

/** A model that looks at pictures, somewhere else or on this machine. */
export interface ModelConfig {
  /** `openai` is any endpoint that speaks its chat completions, also a local one. */
  readonly provider: 'anthropic' | 'openai'
  readonly model: string
  /** The provider's own where absent. */
  readonly baseUrl?: string | undefined
  /** Anthropic needs one; local endpoints mostly do not. */
  readonly apiKey?: Secret | undefined
  /** For each try. 8 s where absent. */
  readonly deadlineMs?: number | undefined
  /** What to do when the model gives no name: read the picture's text, as by default, or nothing. */
  readonly fallback?: 'text' | 'off' | undefined
}

export type NamingConfig =
  | { readonly kind: 'off' }
  | { readonly kind: 'text' }
  | (ModelConfig & { readonly kind: 'model' })

/** Waits and queues; what is absent has its usual value. */
export interface NamingLimits {
  /** Between the first try and the second. */
  readonly pauseMs: number
  /** Models that are asked at once, and pictures that wait for that. */
  readonly asked: number
  readonly waitingForModel: number
  /** Pictures that wait to be read. */
  readonly waitingForText: number
  readonly readDeadlineMs: number
  /** After so long without work the reader's memory is given back. */
  readonly idleMs: number
}

export const NAMING_LIMITS: NamingLimits = {
  pauseMs: 500,
  asked: 8,
  waitingForModel: 100,
  waitingForText: 20,
  readDeadlineMs: 30_000,
  idleMs: 60_000,
}

export interface NamingDeps {
  readonly log: Log
  readonly limits?: Partial<NamingLimits>
}
