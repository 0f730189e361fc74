import { tally } from '../metrics/index.ts'
import type { SpanOutcome } from './exporter.io.ts'
import type { Tracing } from './tracing.ts'
import type { TracingOptions } from './tracing-options.ts'

/** `undefined`, and nothing else of this folder is loaded, unless the settings name a receiver. */
export async function openTracing(options: TracingOptions): Promise<Tracing | undefined> {
  const { process: name, node, version, clock, log, metrics, settings, createNonce, times } = options
  if (settings.traceEndpoint === undefined) return undefined
  const { createExporter, SPAN_OUTCOMES } = await import('./exporter.io.ts')
  const { createTracer } = await import('./tracer.ts')
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
    url: `${settings.traceEndpoint}/v1/traces`,
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
