/** The names of a span: those of W3C Trace Context. */
export interface SpanContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 of them. */
  readonly spanId: string
}

export interface RemoteContext extends SpanContext {
  /** Whether whoever sent it keeps the trace. */
  readonly isSampled: boolean
}

const SHAPE = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** `undefined`: it is none, and says nothing. */
export function parseTraceparent(text: string): RemoteContext | undefined {
  // A header of any length is compared with the shape.
  if (text.length > 512) return undefined
  const [, version = '', traceId = '', spanId = '', flags = '', more] = SHAPE.exec(text) ?? []
  if (version === '' || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** Only of traces that are kept: nothing is sent along for the others. */
export function formatTraceparent({ traceId, spanId }: SpanContext): string {
  return `00-${traceId}-${spanId}-01`
}

const SCALE = 2 ** 52

/** By the id, so that every process which asks about a trace comes to the same answer. */
export function isWithinRatio(traceId: string, ratio: number): boolean {
  return Number.parseInt(traceId.slice(-13), 16) / SCALE < ratio
}
