import type { ReadLine } from './heading.ts'

/** What passes between the viewer and the thread that reads. */
export interface ReadRequest {
  readonly image: Uint8Array<ArrayBuffer>
  readonly width: number
  readonly height: number
}

export type ReadReply = { readonly lines: readonly ReadLine[] } | { readonly failed: true }
