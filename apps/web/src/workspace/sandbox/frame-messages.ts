import type { RESULT_TYPES } from '@patchbay/contracts/panels'

export type ResultType = (typeof RESULT_TYPES)[number]

/** To the frame. Its answers carry the same id. */
export type FrameOrder =
  | { readonly type: 'ping'; readonly id: number }
  | { readonly type: 'evaluate'; readonly id: number; readonly code: string }
  /** `source` once for each frame: what takes the picture. */
  | { readonly type: 'picture'; readonly id: number; readonly source: string | null; readonly scale: number }

/** From the frame. */
export type FrameAnswer =
  | { readonly type: 'ready' }
  /** Code has sent the page elsewhere. It answers for a moment yet, and whatever is begun in it is lost. */
  | { readonly type: 'leaving' }
  | { readonly type: 'pong'; readonly id: number }
  /** The code runs from now on: if its page goes, it is over, and is not run again. */
  | { readonly type: 'begun'; readonly id: number }
  | { readonly type: 'console'; readonly level: string; readonly text: string }
  | {
      readonly type: 'executed'
      readonly id: number
      readonly result: unknown
      readonly resultType: ResultType
      readonly isTruncated: boolean
    }
  | { readonly type: 'failed'; readonly id: number; readonly error: string }
  | {
      readonly type: 'picture'
      readonly id: number
      readonly png: ArrayBuffer
      readonly width: number
      readonly height: number
    }
