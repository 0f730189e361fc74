import type { Tracing } from './tracing.ts'
import type { TracingOptions } from './tracing-options.ts'

/** `undefined`, and nothing of it is loaded, unless the settings name a receiver. */
export async function openTracing(options: TracingOptions): Promise<Tracing | undefined> {
  const { traceEndpoint } = options.settings
  if (traceEndpoint === undefined) return undefined
  const { startTracing } = await import('./start-tracing.io.ts')
  return startTracing(traceEndpoint, options)
}
