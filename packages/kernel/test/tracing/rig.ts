import { randomBytes } from 'node:crypto'
import { systemClock } from '../../src/clock/index.ts'
import { createLog } from '../../src/log/index.ts'
import { createMetrics, type Metrics } from '../../src/metrics/index.ts'
import type { Tracing, TracingOptions, TracingSettings } from '../../src/tracing/index.ts'
import { startTracing } from '../../src/tracing/start-tracing.io.ts'

export interface TestTracing extends AsyncDisposable {
  readonly tracing: Tracing
  readonly metrics: Metrics
  readonly lines: readonly string[]
  /** How many spans have ended so. */
  count(outcome: string): Promise<number>
}

export function openTestTracing(
  endpoint: string,
  {
    settings = {},
    times = {},
    node = 'n1',
  }: { settings?: Partial<TracingSettings>; times?: TracingOptions['times']; node?: string } = {},
): TestTracing {
  const lines: string[] = []
  const metrics = createMetrics('test')
  const tracing = startTracing(endpoint, {
    process: 'test',
    node,
    version: '1.2.3',
    clock: systemClock,
    createNonce: () => randomBytes(16).toString('base64url'),
    log: createLog({
      level: 'debug',
      process: 'test',
      destination: { write: (line) => void lines.push(line) },
    }),
    metrics,
    settings: { traceEndpoint: endpoint, traceHeaders: undefined, traceRatio: 1, ...settings },
    times: { collectMs: 5, retryMs: 5, longestRetryMs: 20, ...times },
  })
  return {
    tracing,
    metrics,
    lines,
    async count(outcome) {
      const { values } = (await metrics.getSingleMetric('patchbay_trace_spans_total')?.get()) ?? {
        values: [],
      }
      return values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0
    },
    [Symbol.asyncDispose]: () => tracing.close(),
  }
}
