import { Problem, type ProblemCode } from '@patchbay/contracts/core'
import type { PreparedPictures } from '../ports.ts'

/** One picture to prepare. There is never more than one under way, so answers need no number. */
export interface PictureOrder {
  readonly incoming: string
  readonly into: { readonly optimized: string; readonly original: string }
}

type Outcome =
  | { readonly prepared: PreparedPictures }
  | {
      readonly problem: {
        readonly code: ProblemCode
        readonly detail: string | undefined
        readonly cause: string
      }
    }
  /** A bug of ours. */
  | { readonly bug: string }

export type PictureAnswer = Outcome & {
  /** What the process holds of the machine's memory now. */
  readonly residentBytes: number
}

/** Said first. A process that ends without it has not looked at the picture. */
export const BEGUN = 'begun'

export function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof Problem)) {
    return { bug: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  const cause = error.cause instanceof Error ? error.cause.message : ''
  return { problem: { code: error.code, detail: error.detail, cause } }
}

export function resultOf(outcome: Outcome): PreparedPictures {
  if ('prepared' in outcome) return outcome.prepared
  if ('bug' in outcome) throw new Error(outcome.bug)
  const { code, detail, cause } = outcome.problem
  throw new Problem(code, { ...(detail === undefined ? {} : { detail }), cause })
}
