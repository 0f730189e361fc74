import type { RESULT_TYPES } from '@patchbay/contracts/panels'

export type ResultType = (typeof RESULT_TYPES)[number]

/** A file of the project. Its path begins at the top of the project. */
export interface FrameFile {
  readonly path: string
  readonly bytes: ArrayBuffer
}

export type WantedAnswer =
  | { readonly bytes: ArrayBuffer }
  | { readonly paths: readonly string[] }
  | { readonly error: string }

/** To the frame. Its answers carry the same id. */
export type FrameOrder =
  | { readonly type: 'ping'; readonly id: number }
  | { readonly type: 'evaluate'; readonly id: number; readonly code: string }
  /** As `evaluate`, and says in which line it failed. */
  | { readonly type: 'script'; readonly id: number; readonly code: string }
  /** What runs Python, once for each frame, and the files that it finds beside the script. */
  | {
      readonly type: 'prepare'
      readonly id: number
      readonly source: string
      readonly wasm: ArrayBuffer
      readonly folder: string
      readonly files: readonly FrameFile[]
    }
  /** `name`: of the script, as its errors call it. */
  | { readonly type: 'python'; readonly id: number; readonly code: string; readonly name: string }
  /** Code may read files from now on: the page answers for them. */
  | { readonly type: 'offer-files' }
  /** Answers a `wants` with the same number. */
  | { readonly type: 'wanted'; readonly number: number; readonly answer: WantedAnswer }
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
  | {
      readonly type: 'failed'
      readonly id: number
      readonly error: string
      readonly line?: number | undefined
    }
  | { readonly type: 'prepared'; readonly id: number }
  /** Code wants the content of a file, or the names in a folder. */
  | {
      readonly type: 'wants'
      readonly number: number
      readonly what: 'read' | 'list'
      readonly path: string
    }
  | {
      readonly type: 'picture'
      readonly id: number
      readonly png: ArrayBuffer
      readonly width: number
      readonly height: number
    }
