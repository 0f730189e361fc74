import { tally } from '../metrics/index.ts'
import { createExporter, SPAN_OUTCOMES, type SpanOutcome } from './exporter.io.ts'
import { createTracer } from './tracer.ts'
import type { Tracing } from './tracing.ts'
import type { TracingOptions } from './tracing-options.ts'

/** Loaded by whoever has tracing on. */
export function startTracing(endpoint: string, options: TracingOptions): Tracing {
  const { process: name, node, version, clock, log, metrics, settings, createNonce, times } = options
  const count: (outcome: SpanOutcome) => void =
    metrics === undefined
      ? () => undefined
      : tally(metrics, {
          name: 'patchbay_trace_spans_total',
          help: 'Spans of traces by what became of them',
          label: 'outcome',
          values: SPAN_OUTCOMES,
        })
  const exporter = createExporter({
    url: `${endpoint}/v1/traces`,
    headers: settings.traceHeaders,
    resource: {
      'service.name': `patchbay-${name}`,
      'service.version': version,
      'service.instance.id': node,
    },
    log,
    count,
    ...(times === undefined ? {} : { times }),
  })
  const tracer = createTracer({
    clock,
    ratio: settings.traceRatio,
    createId: (bytes) => Buffer.from(createNonce(), 'base64url').toString('hex', 0, bytes),
    onEnd: (span) => exporter.add(span),
  })
  return Object.assign(tracer, { close: () => exporter.close() })
}
