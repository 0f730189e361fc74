import type { Clock } from '../clock/index.ts'
import type { Log, Secret } from '../log/index.ts'
import type { Metrics } from '../metrics/index.ts'

export interface TracingSettings {
  readonly traceEndpoint: string | undefined
  readonly traceHeaders: Secret | undefined
  readonly traceRatio: number
}

export interface TracingOptions {
  /** As in logs and metrics: `server`. */
  readonly process: string
  readonly node: string
  readonly version: string
  readonly clock: Clock
  readonly log: Log
  /** Where the process has some. */
  readonly metrics?: Metrics
  readonly settings: TracingSettings
  /** 128 random bits or more, as letters, digits, `-` and `_`. */
  readonly createNonce: () => string
  readonly times?: Partial<ExporterTimes>
}

export interface ExporterTimes {
  /** So long a span waits for others. */
  readonly collectMs: number
  /** For the receiver to answer. */
  readonly deadlineMs: number
  /** Before the first repetition, and at the longest. */
  readonly retryMs: number
  readonly longestRetryMs: number
  /** For what is left when the process stops. */
  readonly closeMs: number
}
