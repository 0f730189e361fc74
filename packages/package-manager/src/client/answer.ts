import type { Validators } from './validators.ts'

/** What came back for a file that was asked for. */
export interface Answer {
  readonly isNotModified: boolean
  /** How much of the file comes before the body: 0 unless a continuation was asked for and given. */
  readonly from: number
  readonly validators: Validators
  readonly contentType: string | undefined
  /** What the server announced. */
  readonly length: number | undefined
  /** Where it came from in the end. */
  readonly url: URL
  readonly redirects: number
  readonly status: number
  /** To be read to its end, or disposed of; it fails rather than end early. */
  readonly body: AsyncIterable<Uint8Array>
  close(): Promise<void>
}

/** What is missing of a file that broke off, and how its server called what came before. */
export interface Continuation {
  readonly from: number
  readonly etag: string
}

export interface Request {
  readonly url: URL
  readonly accept: string
  readonly validators?: Validators | undefined
  readonly continuation?: Continuation | undefined
  /** Past every cache on the way. */
  readonly isFresh?: boolean
  readonly maxBytes: number
  readonly deadlineMs: number
  readonly signal?: AbortSignal | undefined
}
