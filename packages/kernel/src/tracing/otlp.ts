import type { SpanContext } from './trace-context.ts'
import type { Attributes, SpanKind } from './tracing.ts'

export interface FinishedSpan extends SpanContext {
  readonly parentId: string | undefined
  readonly name: string
  readonly kind: SpanKind
  /** Milliseconds since 1970, with fractions. */
  readonly begunAt: number
  readonly endedAt: number
  readonly attributes: Attributes
  readonly links: readonly SpanContext[]
  readonly fault: string | undefined
}

/** As OpenTelemetry numbers them. */
const KINDS: Readonly<Record<SpanKind, number>> = {
  internal: 1,
  server: 2,
  client: 3,
  producer: 4,
  consumer: 5,
}
const STATUS_ERROR = 2
/** Kept by whoever sent it: the one flag that there is. */
const SAMPLED = 1

/** The body of a request to an OTLP receiver (`/v1/traces`), in its JSON form. */
export function encodeSpans(resource: Attributes, spans: readonly FinishedSpan[]): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'patchbay' }, spans: spans.map(spanOf) }],
      },
    ],
  })
}

function spanOf(span: FinishedSpan) {
  const { traceId, spanId, parentId, name, kind, begunAt, endedAt, attributes, links, fault } = span
  return {
    traceId,
    spanId,
    ...(parentId === undefined ? {} : { parentSpanId: parentId }),
    flags: SAMPLED,
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(begunAt),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: attributesOf(fault === undefined ? attributes : { ...attributes, 'error.type': fault }),
    links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
    status: fault === undefined ? {} : { code: STATUS_ERROR },
  }
}

/** To the microsecond: a number has no room for more. */
function nanoseconds(milliseconds: number): string {
  return `${Math.round(milliseconds * 1_000)}000`
}

function attributesOf(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }))
}

function valueOf(value: string | number) {
  if (typeof value === 'string') return { stringValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
