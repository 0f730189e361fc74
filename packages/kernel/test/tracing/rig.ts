import { randomBytes } from 'node:crypto'
import { systemClock } from '../../src/clock/index.ts'
import { createLog } from '../../src/log/index.ts'
import { createMetrics, type Metrics } from '../../src/metrics/index.ts'
import {
  openTracing,
  type Tracing,
  type TracingOptions,
  type TracingSettings,
} from '../../src/tracing/index.ts'

export interface TestTracing extends AsyncDisposable {
  readonly tracing: Tracing
  readonly metrics: Metrics
  readonly lines: readonly string[]
  /** How many spans have ended so. */
  count(outcome: string): Promise<number>
}

export async function openTestTracing(
  endpoint: string,
  {
    settings = {},
    times = {},
    node = 'n1',
  }: { settings?: Partial<TracingSettings>; times?: TracingOptions['times']; node?: string } = {},
): Promise<TestTracing> {
  const lines: string[] = []
  const metrics = createMetrics('test')
  const tracing = await openTracing({
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
  if (tracing === undefined) throw new Error('an endpoint turns tracing on')
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
