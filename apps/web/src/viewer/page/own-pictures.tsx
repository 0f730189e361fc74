import { useRef } from 'react'
import { useLostFocus } from '../../parts/use-lost-focus.ts'
import { useValue } from '../../parts/use-value.ts'
import { findPaste } from '../pastes/paste-list.ts'
import { useViewer } from '../viewer-context.ts'
import { words } from '../words.tsx'
import { PastePlace } from './paste-place.tsx'
import styles from './pictures.module.css'
import { UploadPlace } from './upload-place.tsx'

/** What was taken in by this page, the latest first. */
export function OwnPictures() {
  const { queue, pastes } = useViewer()
  const uploads = useValue(queue.uploads)
  const list = useValue(pastes.list)
  const heading = useRef<HTMLHeadingElement>(null)
  const lostFocus = useLostFocus(heading)
  const places = uploads.map((upload) => {
    const { state } = upload
    if (state.step !== 'saved') return { upload, content: <UploadPlace upload={upload} /> }
    const entry = findPaste(list, state.pasteId)
    // Deleted in another page.
    if (entry === undefined) return { upload, content: undefined }
    return { upload, content: <PastePlace entry={entry} preview={upload.preview} /> }
  })
  const shown = places.filter(({ content }) => content !== undefined)
  if (shown.length === 0) return null
  return (
    <section {...lostFocus} aria-labelledby="own" className={styles.section}>
      <h2 ref={heading} id="own" tabIndex={-1} className={styles.title}>
        {words.own.heading}
      </h2>
      <ol aria-labelledby="own" className={styles.list}>
        {shown.map(({ upload, content }) => (
          <li key={upload.id} data-picture className={styles.place}>
            {content}
          </li>
        ))}
      </ol>
    </section>
  )
}
