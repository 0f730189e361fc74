import { Problem } from '@patchbay/contracts/core'
import type { ViewerStatus } from '@patchbay/contracts/viewer'
import { openPaste, type PasteFolder, type Pastes, presentPaste, type ViewerPages } from '@patchbay/viewer'
import { MOST_PICTURE_BYTES } from './picture-content.ts'
import type { ViewerPort } from './viewer-port.ts'

export interface LocalViewerDeps {
  readonly pastes: Pastes
  readonly pages: ViewerPages
  readonly folder: PasteFolder
  readonly status: () => ViewerStatus
}

/** The viewer that runs in this process. */
export function localViewer({ pastes, pages, folder, status }: LocalViewerDeps): ViewerPort {
  return {
    status: async () => status(),
    async show(widget, title, signal) {
      // Before the widget is there: what is pasted at once must not be missed.
      const cursor = String(pastes.cursor)
      await pages.show(widget, title, signal)
      return { widget, cursor }
    },
    async nextPaste(query, signal) {
      const next = await pastes.next(query, signal)
      return next && { paste: presentPaste(next.paste, folder.path), cursor: next.cursor }
    },
    async readPaste(file) {
      await using handle = await openPaste(folder, file)
      // Whatever it was when it was saved: somebody may have put another file there.
      if ((await handle.stat()).size > MOST_PICTURE_BYTES) throw new Problem('body_too_large')
      return await handle.readFile()
    },
  }
}
