export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

/** Routes, statement texts, topics and codes: never what a person, a device or a secret is called. */
export type Attributes = Readonly<Record<string, string | number>>

export interface Span {
  /** As W3C's header of this name has it, for whoever goes on with the work elsewhere. */
  readonly traceparent: string
  set(name: string, value: string | number): void
  /** What is said after the first time has no effect. `fault`: a code, never a message, which could quote somebody. */
  end(fault?: string): void
}

export interface Step {
  readonly name: string
  readonly kind?: SpanKind
  readonly attributes?: Attributes
}

export interface Beginning extends Step {
  /** Continues the trace of this `traceparent`, and is kept when that one is. Trust who sent it. */
  readonly parent?: string | undefined
  /** The `traceparent`s of what led to this, or of a stranger. */
  readonly links?: readonly (string | undefined)[]
  /** How many traces like it may begin on this node in a second. */
  readonly limit: { readonly of: string; readonly perSecond: number }
}

/** Handed to what traces. Where it is `undefined`, tracing is off, and nothing of it is loaded. */
export interface Tracing {
  /** Of the work that this code is called for, if it is traced. */
  readonly current: Span | undefined
  /** The first span of a trace in this process; `undefined`: this one is not traced. */
  begin(beginning: Beginning): Span | undefined
  /** Does the work as that of `span`. */
  within<Result>(span: Span | undefined, work: () => Result): Result
  /** Does the work, as a step of what it is called for where that is traced. Only then is asked what it is. */
  step<Result>(describe: () => Step, work: (span?: Span) => Promise<Result>): Promise<Result>
  /** Goes on with what another process has begun; without a parent it just does the work. */
  resume<Result>(
    parent: string | undefined,
    describe: () => Step,
    work: (span?: Span) => Promise<Result>,
  ): Promise<Result>
  /** Sends what is left, for a moment. */
  close(): Promise<void>
}
