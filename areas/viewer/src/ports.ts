import type { NamedBy, PictureType } from '@patchbay/contracts/viewer'

/** The size of a picture as a person sees it, in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** One of the two files that come of a picture. */
export interface WrittenPicture extends Size {
  readonly bytes: number
}

export interface PreparedPictures {
  readonly source: { readonly type: PictureType; readonly bytes: number }
  readonly optimized: WrittenPicture
  readonly original: WrittenPicture
}

/**
 * Makes both files of what was sent. Throws the `Problem` `picture_refused` with a reason for people, or `folder_unavailable`
 * when they cannot be written.
 */
export type PreparePictures = (
  incoming: string,
  into: { readonly optimized: string; readonly original: string },
) => Promise<PreparedPictures>

/** Files that are not yet in the folder for all to see. All of them are gone after `discard`. */
export interface Stage {
  readonly id: string
  readonly incoming: string
  readonly optimized: string
  readonly original: string
  discard(): Promise<void>
}

/** A paste as it is on the disk. */
export interface StoredPaste {
  readonly id: string
  readonly createdAt: Date
  readonly title: string | undefined
  /** The descriptive part, with its number if it was taken. */
  readonly name: string
  readonly namedBy: NamedBy | undefined
  /** Earlier names, oldest first. */
  readonly earlier: readonly { readonly name: string; readonly namedBy: NamedBy | undefined }[]
  /** Naming was begun and has not ended: looked for again after a crash. */
  readonly isNaming: boolean
  readonly namingNote: string | undefined
  readonly optimized: WrittenPicture & { readonly file: string }
  readonly original: WrittenPicture & { readonly file: string }
  readonly source: {
    readonly type: PictureType
    readonly bytes: number
    readonly fileName: string | undefined
  }
}

export interface NewPaste {
  readonly createdAt: Date
  readonly title: string | undefined
  readonly fileName: string | undefined
  readonly pictures: PreparedPictures
  readonly isNaming: boolean
}

/**
 * The folder of the pastes. Both files of a paste are there, or none; no file of anybody else is ever replaced; nothing is
 * written outside of it. Changes of one paste happen one after the other. Fails with `paste_not_found`, `nothing_to_undo` or
 * `folder_unavailable`.
 */
export interface PasteFolder extends AsyncDisposable {
  /** Where the folder is on this machine. */
  readonly path: string
  stage(): Promise<Stage>
  /** Saved at once, as `sp-<timestamp>-<width>x<height>.png` and its original. */
  add(stage: Stage, paste: NewPaste): Promise<StoredPaste>
  find(id: string): StoredPaste | undefined
  /** Newest first. */
  list(): readonly StoredPaste[]
  /**
   * By a namer: only while `isNaming`, otherwise nothing changes. By a person: always. `name` must fit the pattern. The note
   * says why there is no better one.
   */
  rename(id: string, name: string, by: NamedBy, note?: string): Promise<StoredPaste>
  /** Naming ended without a name. */
  endNaming(id: string, note: string | undefined): Promise<StoredPaste>
  /** To the name before, or back from being deleted. */
  undo(id: string): Promise<StoredPaste>
  remove(id: string): Promise<void>
  /** The absolute path of a file of a paste, if there is one of that name. */
  pathOf(file: string): string | undefined
}

export interface NameSuggestion {
  readonly name: string
  readonly by: Exclude<NamedBy, 'person' | 'picture'>
}

/** What is to be named. */
export interface PictureToName {
  readonly optimized: string
  readonly original: string
  readonly title: string | undefined
}

/** Looks for names. Never throws: where none is found it says why, for people. */
export interface Naming extends AsyncDisposable {
  readonly kind: 'model' | 'text' | 'off'
  suggest(picture: PictureToName, signal: AbortSignal): Promise<NameSuggestion | { readonly note: string }>
}
