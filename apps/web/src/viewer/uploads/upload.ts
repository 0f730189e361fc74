import { Problem, type ProblemCode } from '@patchbay/contracts/core'
import { PASTE_LIMITS } from '@patchbay/contracts/limits'
import { describeFailure, type FailureText, isAnswer } from '../../errors/failure.ts'
import { sizeInWords } from '../../parts/size-words.ts'
import { words } from '../words.tsx'

export type UploadState =
  | { readonly step: 'waiting' }
  | { readonly step: 'sending'; readonly percent: number }
  | { readonly step: 'saving' }
  /** Nothing came back. What was sent whole may be saved all the same. */
  | { readonly step: 'held'; readonly why: FailureText; readonly isSentWhole: boolean }
  | { readonly step: 'refused'; readonly why: FailureText; readonly mayRetry: boolean }
  | { readonly step: 'saved'; readonly pasteId: string }

/** A picture on its way from this page into the project. */
export interface Upload {
  readonly id: string
  /** What the person knows it by. */
  readonly label: string
  readonly bytes: number
  /** Where the picture can be drawn from before the viewer has it. */
  readonly preview: string | undefined
  readonly state: UploadState
}

/** Refused because of the moment, not because of the picture. */
const PASSING: ReadonlySet<ProblemCode> = new Set([
  'folder_unavailable',
  'internal_error',
  'rate_limited',
  'shutting_down',
  'too_many_uploads',
  'upload_not_granted',
])

/** Rounded down: a file that has what the page says must be taken. */
export const LARGEST_IN_WORDS = sizeInWords(Math.floor(PASTE_LIMITS.uploadBytes / 1e6) * 1e6)

/** Why a file is not even sent. The viewer judges everything else: it looks at the bytes, not at the name. */
export function faultOf({ size }: { readonly size: number }): FailureText | undefined {
  if (size === 0) return words.upload.empty
  if (size <= PASTE_LIMITS.uploadBytes) return undefined
  return words.upload.tooLarge(sizeInWords(size), LARGEST_IN_WORDS)
}

/** What has become of an upload that came to nothing. */
export function failed(error: unknown, isSentWhole: boolean): UploadState {
  if (isAnswer(error)) {
    const mayRetry = !(error instanceof Problem) || PASSING.has(error.code)
    return { step: 'refused', why: describeFailure(error), mayRetry }
  }
  const { title, sentWhole, kept } = words.upload.unanswered
  // Nothing about the network: the viewer is on this machine, and answers without one.
  return { step: 'held', why: { title, detail: isSentWhole ? sentWhole : kept }, isSentWhole }
}

/** Whether it is still to be sent, or on its way. */
export function isUnderWay({ state: { step } }: Upload): boolean {
  return step === 'waiting' || step === 'sending' || step === 'saving'
}

export function isInLine(upload: Upload): boolean {
  return isUnderWay(upload) || upload.state.step === 'held'
}
