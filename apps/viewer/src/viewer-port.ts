import type { Paste, ViewerStatus, WidgetName } from '@patchbay/contracts/viewer'

export interface NextPasteQuery {
  /** The cursor of an answer before. Absent: whatever comes after this call. */
  readonly after?: string | undefined
  readonly waitMs: number
  readonly namingMs: number
}

/**
 * What agents need of a viewer, whether it runs in this process or in another. Every failure is a `Problem`: `show` fails
 * with `viewer_not_open` or `viewer_silent`, waiting with `too_many_waiting` or `shutting_down`.
 */
export interface ViewerPort {
  status(signal: AbortSignal): Promise<ViewerStatus>
  /** Opens a widget in the active page. The cursor is for `nextPaste`. */
  show(
    widget: WidgetName,
    title: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly widget: string; readonly cursor: string }>
  /** `undefined` when none came in time. */
  nextPaste(
    query: NextPasteQuery,
    signal: AbortSignal,
  ): Promise<{ readonly paste: Paste; readonly cursor: string } | undefined>
  /** The bytes of a file of a paste, by the name of the file; `paste_not_found` if it has another name by now. */
  readPaste(file: string, signal: AbortSignal): Promise<Uint8Array>
}
