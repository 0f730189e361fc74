import { Trash2, Undo2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useAction } from '../../server/use-action.ts'
import type { Entry } from '../pastes/paste-list.ts'
import { useViewer } from '../viewer-context.ts'
import { words } from '../words.tsx'
import { focusNeighbor } from './focus-neighbor.ts'
import { PasteCard } from './paste-card.tsx'
import styles from './pictures.module.css'

/** A saved picture, or the line that it left when it was deleted here. */
export function PastePlace({ entry, preview }: { entry: Entry; preview?: string | undefined }) {
  const { paste, isDeleted } = entry
  const { pastes, announcer } = useViewer()
  const place = useRef<HTMLDivElement>(null)
  const back = useRef<HTMLButtonElement>(null)
  const wants = useRef<'back' | 'heading'>(undefined)
  useEffect(() => {
    const wanted = { back: back.current, heading: place.current?.querySelector('h3') }
    const target = wants.current === undefined ? undefined : wanted[wants.current]
    target?.focus()
    wants.current = undefined
  })
  const removing = useAction(async () => {
    const hasNeighbor = focusNeighbor(place.current)
    await pastes.remove(paste.id)
    if (!hasNeighbor) wants.current = 'back'
    announcer.say(words.spoken.deleted(paste.name))
  })
  const restoring = useAction(async () => {
    await pastes.undo(paste.id)
    wants.current = 'heading'
    announcer.say(words.spoken.restored(paste.name))
  })
  return (
    <div ref={place} className={styles.whole}>
      {isDeleted ? (
        <div className={styles.gone}>
          <Trash2 aria-hidden className={styles.sign} />
          <p className={styles.goneWords}>
            {words.paste.deleted(<span className={styles.goneName}>{paste.name}</span>)}
          </p>
          <Button
            ref={back}
            size="sm"
            icon={<Undo2 aria-hidden />}
            aria-label={words.paste.undoDelete(paste.name)}
            isPending={restoring.isPending}
            onPress={() => restoring.run()}
          >
            {words.paste.undo}
          </Button>
        </div>
      ) : (
        <PasteCard paste={paste} preview={preview} remove={() => removing.run()} />
      )}
      <FailureNotice error={isDeleted ? restoring.error : removing.error} />
    </div>
  )
}
