import { AsyncLocalStorage } from 'node:async_hooks'
import { Problem } from '@patchbay/contracts/core'
import type { Clock } from '../clock/index.ts'
import type { FinishedSpan } from './otlp.ts'
import { formatTraceparent, isWithinRatio, parseTraceparent, type SpanContext } from './trace-context.ts'
import type { Beginning, Span, SpanKind, Step, Tracing } from './tracing.ts'

export interface TracerOptions {
  readonly clock: Clock
  /** Of the traces that begin here, how many are kept: 0 to 1. */
  readonly ratio: number
  /** So many random bytes, in hexadecimal digits. */
  readonly createId: (bytes: number) => string
  readonly onEnd: (span: FinishedSpan) => void
}

const MOST_LINKS = 32
/** Of one trace in one process: what goes on and on must not go on being traced. */
const MOST_STEPS = 1_000
const LONGEST_TEXT = 1_000
const TRACE_ID_BYTES = 16
const SPAN_ID_BYTES = 8

export function createTracer(options: TracerOptions): Omit<Tracing, 'close'> {
  const { clock, ratio, createId, onEnd } = options
  const active = new AsyncLocalStorage<OpenSpan | undefined>()
  const begun = new PerSecond()

  const within = <Result>(span: Span | undefined, work: () => Result): Result =>
    active.run(span as OpenSpan | undefined, work)

  async function run<Result>(span: OpenSpan, work: (span: Span) => Promise<Result>): Promise<Result> {
    try {
      const result = await within(span, () => work(span))
      span.end()
      return result
    } catch (error) {
      span.end(faultOf(error))
      throw error
    }
  }

  /** One for all spans of a trace: its steps lie one after the other, however the clock of the machine is set meanwhile. */
  const part = (): Part => ({ anchor: clock.now().getTime() - performance.now(), steps: 0 })
  const startOf = (step: Step, given: Omit<Start, 'spanId' | 'onEnd' | 'step'>) =>
    new OpenSpan({ ...given, step, spanId: createId(SPAN_ID_BYTES), onEnd })

  return {
    get current() {
      return active.getStore()
    },
    begin(beginning: Beginning) {
      const { parent: given, links = [], limit } = beginning
      // First, because it costs least: devices say thousands of things a second.
      if (begun.count(limit.of) >= limit.perSecond) return undefined
      const parent = given === undefined ? undefined : parseTraceparent(given)
      const traceId = parent?.traceId ?? createId(TRACE_ID_BYTES)
      if (!(parent?.isSampled ?? isWithinRatio(traceId, ratio))) return undefined
      begun.add(limit.of)
      const linked = links
        .slice(0, MOST_LINKS)
        .flatMap((link) => (link === undefined ? [] : (parseTraceparent(link) ?? [])))
      return startOf(beginning, { traceId, parentId: parent?.spanId, links: linked, part: part() })
    },
    within,
    step(describe, work) {
      const parent = active.getStore()
      if (parent === undefined || parent.part.steps >= MOST_STEPS) return work()
      parent.part.steps += 1
      const { traceId, spanId: parentId } = parent
      return run(startOf(describe(), { traceId, parentId, links: [], part: parent.part }), work)
    },
    resume(given, describe, work) {
      const parent = given === undefined ? undefined : parseTraceparent(given)
      if (parent?.isSampled !== true) return within(undefined, () => work())
      const { traceId, spanId: parentId } = parent
      return run(startOf(describe(), { traceId, parentId, links: [], part: part() }), work)
    },
  }
}

/** What of a trace is in this process. */
interface Part {
  /** What the process's own clock is behind the time of day. */
  readonly anchor: number
  steps: number
}

interface Start {
  readonly step: Step
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | undefined
  readonly links: readonly SpanContext[]
  readonly part: Part
  readonly onEnd: (span: FinishedSpan) => void
}

class OpenSpan implements Span {
  readonly traceId: string
  readonly spanId: string
  readonly part: Part
  readonly #start: Start
  readonly #begunAt: number
  readonly #attributes: Record<string, string | number> = {}
  #isEnded = false

  constructor(start: Start) {
    this.#start = start
    this.traceId = start.traceId
    this.spanId = start.spanId
    this.part = start.part
    this.#begunAt = start.part.anchor + performance.now()
    for (const [name, value] of Object.entries(start.step.attributes ?? {})) this.set(name, value)
  }

  get traceparent(): string {
    return formatTraceparent(this)
  }

  set(name: string, value: string | number): void {
    this.#attributes[name] = typeof value === 'string' ? value.slice(0, LONGEST_TEXT) : value
  }

  end(fault?: string): void {
    if (this.#isEnded) return
    this.#isEnded = true
    const { step, traceId, spanId, parentId, links, onEnd } = this.#start
    const kind: SpanKind = step.kind ?? 'internal'
    onEnd({
      traceId,
      spanId,
      parentId,
      name: step.name.slice(0, LONGEST_TEXT),
      kind,
      begunAt: this.#begunAt,
      endedAt: this.part.anchor + performance.now(),
      attributes: this.#attributes,
      links,
      fault,
    })
  }
}

/** What went wrong, by its code. Messages quote addresses and what people have typed. */
function faultOf(error: unknown): string {
  if (error instanceof Problem) return error.code
  const { code } = Object(error) as { code?: unknown }
  if (typeof code === 'string' && /^\w{1,40}$/.test(code)) return code
  return error instanceof Error ? error.name : 'unknown'
}

/** How many have begun in this second, by kind. */
class PerSecond {
  readonly #counts = new Map<string, number>()
  #second = 0

  count(kind: string): number {
    const second = Math.floor(performance.now() / 1_000)
    if (second !== this.#second) this.#counts.clear()
    this.#second = second
    return this.#counts.get(kind) ?? 0
  }

  add(kind: string): void {
    this.#counts.set(kind, this.count(kind) + 1)
  }
}
