import type { ScreenshotScope, TakenPicture } from '@patchbay/contracts'

export interface CaptureRequest {
  readonly scope: ScreenshotScope
  /** What is to be seen: a panel, or the whole dock. `null` for the screen. */
  readonly element: HTMLElement | null
}

export interface CapturedPicture {
  readonly png: Blob
  readonly width: number
  readonly height: number
  /** Pixels of the picture for each CSS pixel. */
  readonly scale: number
  readonly engine: TakenPicture['engine']
}

/** What takes pictures of the page, once the person has agreed to share it. */
export interface Capturer {
  /** The page, or for the scope `screen` the display. */
  isSharing(scope?: ScreenshotScope): boolean
  subscribe(listener: () => void): () => void
  /** Asks the person, in the browser's own dialog. Needs a press that it is the answer to. Rejects when they decline.
   * The screen is shared for one picture: it would keep the display awake. */
  start(scope?: ScreenshotScope): Promise<void>
  stop(): void
  /** Settles in any case. Rejects when no picture came. */
  capture(request: CaptureRequest): Promise<CapturedPicture>
}
