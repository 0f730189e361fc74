import type { Paste } from '@patchbay/contracts/viewer'
import { Pencil, Trash2, Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { sizeInWords } from '../../parts/size-words.ts'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useAction } from '../../server/use-action.ts'
import { When } from '../../time/when.tsx'
import { useViewer } from '../viewer-context.ts'
import { words } from '../words.tsx'
import { CopyPath } from './copy-path.tsx'
import styles from './pictures.module.css'
import { RenameField } from './rename-field.tsx'
import { Thumbnail } from './thumbnail.tsx'

interface PasteCardProps {
  paste: Paste
  preview: string | undefined
  remove: () => void
}

/** A picture that is saved: what became of it, where it is, and what can be done with it. */
export function PasteCard({ paste, preview, remove }: PasteCardProps) {
  const { pastes, announcer } = useViewer()
  const [isRenaming, setIsRenaming] = useState(false)
  const renameButton = useRef<HTMLButtonElement>(null)
  const wasRenaming = useRef(false)
  useEffect(() => {
    // The field has gone, and the focus with it.
    if (wasRenaming.current && !isRenaming) renameButton.current?.focus()
    wasRenaming.current = isRenaming
  }, [isRenaming])
  const undoing = useAction(async () => {
    await pastes.undo(paste.id)
    announcer.say(words.spoken.named(pastes.find(paste.id)?.name))
  })
  return (
    <div className={styles.card}>
      <Thumbnail address={preview ?? paste.optimized.url} />
      <div className={styles.words}>
        <div className={styles.line}>
          <h3 tabIndex={-1} className={styles.name}>
            {paste.name}
          </h3>
          <span className={styles.when}>
            {paste.source.file_name !== null && `${paste.source.file_name}, `}
            <When at={paste.created_at} />
          </span>
        </div>
        <NamingState paste={paste} />
        <SizeChange paste={paste} />
        <CopyPath path={paste.optimized.path} name={paste.name} />
        {isRenaming ? (
          <RenameField paste={paste} close={() => setIsRenaming(false)} />
        ) : (
          <div className={styles.actions}>
            <Button
              ref={renameButton}
              size="sm"
              icon={<Pencil aria-hidden />}
              aria-label={words.forPicture(words.paste.rename, paste.name)}
              onPress={() => setIsRenaming(true)}
            >
              {words.paste.rename}
            </Button>
            {paste.can_undo && (
              <Button
                size="sm"
                icon={<Undo2 aria-hidden />}
                aria-label={words.paste.undoRename(paste.name)}
                isPending={undoing.isPending}
                onPress={() => undoing.run()}
              >
                {words.paste.undo}
              </Button>
            )}
            <Button
              size="sm"
              variant="ghost"
              icon={<Trash2 aria-hidden />}
              aria-label={words.forPicture(words.paste.delete, paste.name)}
              onPress={remove}
            >
              {words.paste.delete}
            </Button>
          </div>
        )}
        <FailureNotice error={undoing.error} />
      </div>
    </div>
  )
}

/** Whether a name is looked for, or why there is none, or no better one. A good name needs no words: it stands above. */
function NamingState({ paste: { state, naming_note } }: { paste: Paste }) {
  if (state === 'naming') {
    return (
      <p className={styles.naming}>
        <Spinner size="sm" label="" />
        {words.naming.underWay}
      </p>
    )
  }
  if (state === 'named') {
    return naming_note === null ? null : (
      <p className={styles.facts}>{words.naming.noBetterName(naming_note)}</p>
    )
  }
  return (
    <p className={styles.facts}>
      {naming_note === null ? words.naming.byTime : words.naming.noName(naming_note)}
    </p>
  )
}

/** What came in, and what lies in the project for agents to look at. */
function SizeChange({ paste: { original, optimized, source } }: { paste: Paste }) {
  return (
    <p className={styles.facts}>
      <span className={styles.size}>{inWords(original, source.bytes)}</span>
      <span aria-hidden="true">{' → '}</span>
      <span className={styles.hidden}>{` ${words.paste.became} `}</span>
      <span className={styles.size}>{inWords(optimized, optimized.bytes)}</span>
    </p>
  )
}

function inWords({ width, height }: { width: number; height: number }, bytes: number): string {
  return `${width} × ${height}, ${sizeInWords(bytes)}`
}
