import { LIMITS } from '@patchbay/contracts/limits'
import { PASTE_FOLDER, PICTURE_TYPES } from '@patchbay/contracts/viewer'
import { ClipboardPaste, FolderOpen } from 'lucide-react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Button } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { useValue } from '../../parts/use-value.ts'
import { useAction } from '../../server/use-action.ts'
import { readClipboard } from '../intake/intake.ts'
import { PASTE_KEYS } from '../intake/keys.ts'
import { LARGEST_IN_WORDS } from '../uploads/upload.ts'
import { useViewer } from '../viewer-context.ts'
import { words } from '../words.tsx'
import styles from './paste-area.module.css'

/** How pictures come in, in words and buttons; the page around it takes them everywhere. */
export function PasteArea() {
  const { take, notice } = useViewer()
  const told = useValue(notice)
  const pasting = useAction(async () => take(await readClipboard()))
  const [modifier, letter] = PASTE_KEYS
  return (
    <section aria-label={words.pasteArea.label} className={styles.part}>
      <div className={styles.area}>
        <p className={styles.keys}>{words.pasteArea.pressKeys(<kbd>{modifier}</kbd>, <kbd>{letter}</kbd>)}</p>
        <p className={styles.more}>{words.pasteArea.orDrop(LARGEST_IN_WORDS)}</p>
        <p className={styles.touch}>{words.pasteArea.touch(LARGEST_IN_WORDS)}</p>
        <div className={styles.buttons}>
          <Button
            variant="primary"
            icon={<ClipboardPaste aria-hidden />}
            isPending={pasting.isPending}
            onPress={() => pasting.run()}
          >
            {words.pasteArea.paste}
          </Button>
          {/* By name: a phone then turns its own format into one of these. */}
          <FileTrigger
            allowsMultiple
            acceptedFileTypes={PICTURE_TYPES}
            onSelect={(files) => {
              if (files !== null)
                take({ pictures: Array.from(files, (file) => ({ file, fileName: file.name })) })
            }}
          >
            <Button icon={<FolderOpen aria-hidden />}>{words.pasteArea.chooseFiles}</Button>
          </FileTrigger>
        </div>
        <p className={styles.more}>
          {words.pasteArea.savedIn(<code>{PASTE_FOLDER}</code>, LIMITS.screenshotMaxSidePx)}
        </p>
      </div>
      {told !== undefined && (
        <Notice isLive tone={told.tone} title={told.title}>
          {told.detail}
        </Notice>
      )}
    </section>
  )
}
