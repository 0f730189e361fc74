import type { ScreenshotScope, TakenPicture } from '@patchbay/contracts/panels'

export interface CaptureRequest {
  readonly scope: ScreenshotScope
  /** What is to be seen: a panel, or the whole dock. `null` for the screen. */
  readonly element: HTMLElement | null
  /** How long it may take to come, where whoever asks has more patience than is usual. */
  readonly withinMs?: number
}

export interface CapturedPicture {
  readonly png: Blob
  readonly width: number
  readonly height: number
  /** Pixels of the picture for each CSS pixel. */
  readonly scale: number
  readonly engine: TakenPicture['engine']
}

/** How long a screen is shared. While it is, the display does not sleep. */
export type SharingTime = 'until stopped' | 'one picture'

/** What takes pictures of the page, once the person has agreed to share it. */
export interface Capturer {
  /** The page, or for the scope `screen` the display. */
  isSharing(scope?: ScreenshotScope): boolean
  subscribe(listener: () => void): () => void
  /** Asks the person, in the browser's own dialog. Needs a press that it is the answer to. Rejects when they decline. */
  start(scope?: ScreenshotScope, time?: SharingTime): Promise<void>
  stop(scope?: ScreenshotScope): void
  /** Settles in any case. Rejects when no picture came. */
  capture(request: CaptureRequest): Promise<CapturedPicture>
}
