import type { Log, Secret } from '../log/index.ts'
import { encodeSpans, type FinishedSpan } from './otlp.ts'
import type { Attributes } from './tracing.ts'
import type { ExporterTimes } from './tracing-options.ts'

/** What became of a span. */
export const SPAN_OUTCOMES = ['exported', 'dropped', 'refused'] as const
export type SpanOutcome = (typeof SPAN_OUTCOMES)[number]

export interface ExporterOptions {
  /** Of the receiver, with its path. */
  readonly url: string
  /** Such as a key: `name=value`, several separated by commas, values percent-encoded. */
  readonly headers: Secret | undefined
  readonly resource: Attributes
  readonly log: Log
  readonly count: (outcome: SpanOutcome) => void
  readonly times?: Partial<ExporterTimes>
}

export interface Exporter {
  add(span: FinishedSpan): void
  close(): Promise<void>
}

const TIMES: ExporterTimes = {
  collectMs: 1_000,
  deadlineMs: 5_000,
  retryMs: 1_000,
  longestRetryMs: 30_000,
  closeMs: 2_000,
}
/** What waits while the receiver is away; a few MiB of memory. */
const MOST_WAITING = 4_096
const MOST_PER_REQUEST = 512
/** As OTLP has it: with any other answer, the same request would fail again. */
const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Sends spans a little later, and beside everything else: whoever ends one waits for nothing. */
export function createExporter({ url, headers, resource, log, count, times }: ExporterOptions): Exporter {
  const { collectMs, deadlineMs, retryMs, longestRetryMs, closeMs } = { ...TIMES, ...times }
  /** Ends what is being sent when the process has no more time for it. */
  const ending = new AbortController()
  const given = readHeaders(headers)
  let waiting: FinishedSpan[] = []
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> | undefined
  let pauseMs = retryMs
  let isAway = false
  let isClosed = false

  function schedule(afterMs: number): void {
    timer ??= setTimeout(() => {
      timer = undefined
      underWay ??= sendAll().finally(() => {
        underWay = undefined
        if (waiting.length > 0 && !isClosed) schedule(isAway ? pauseMs : collectMs)
      })
    }, afterMs).unref()
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_PER_REQUEST)
      const outcome = await post(batch)
      if (outcome === 'away') return
      waiting = waiting.slice(batch.length)
      for (const _ of batch) count(outcome)
    }
  }

  async function post(batch: readonly FinishedSpan[]): Promise<'exported' | 'refused' | 'away'> {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...given, 'content-type': 'application/json' },
        body: encodeSpans(resource, batch),
        // Spans go to the host that the operator has named, and to no other.
        redirect: 'error',
        signal: AbortSignal.any([AbortSignal.timeout(deadlineMs), ending.signal]),
      })
      await answer.body?.cancel()
      if (RETRIED.has(answer.status)) return noteAway({ status: answer.status })
      if (isAway) log.info('traces are received again')
      isAway = false
      pauseMs = retryMs
      if (answer.ok) return 'exported'
      log.warn({ status: answer.status, spans: batch.length }, 'the trace receiver refused spans')
      return 'refused'
    } catch (error) {
      const { code } = Object(Object(error).cause ?? error) as { code?: unknown }
      return noteAway({ reason: typeof code === 'string' ? code : (error as Error).name })
    }
  }

  function noteAway(why: object): 'away' {
    // Once for each outage: the next attempts fail for the same reason.
    if (!isAway) log.warn(why, 'the trace receiver cannot be reached, retrying')
    else pauseMs = Math.min(pauseMs * 2, longestRetryMs)
    isAway = true
    return 'away'
  }

  return {
    add(span) {
      if (waiting.length >= MOST_WAITING || isClosed) return count('dropped')
      waiting.push(span)
      if (underWay === undefined) schedule(collectMs)
    },
    async close() {
      if (isClosed) return
      isClosed = true
      clearTimeout(timer)
      const cut = setTimeout(() => ending.abort(), closeMs)
      await underWay
      if (!ending.signal.aborted) await sendAll()
      clearTimeout(cut)
      for (const _ of waiting) count('dropped')
      if (waiting.length > 0)
        log.warn({ spans: waiting.length }, 'spans were lost, the trace receiver is away')
      waiting = []
    },
  }
}

/** As `OTEL_EXPORTER_OTLP_HEADERS` has them. */
function readHeaders(text: Secret | undefined): Record<string, string> {
  const pairs = (text?.reveal() ?? '').split(',').filter((pair) => pair.trim() !== '')
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]
    }),
  )
}
