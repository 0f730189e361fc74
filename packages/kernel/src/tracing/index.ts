export { openTracing } from './open-tracing.io.ts'
export type { Attributes, Beginning, Span, SpanKind, Step, Tracing } from './tracing.ts'
export type { TracingOptions, TracingSettings } from './tracing-options.ts'
