import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Notice } from '../../../components/notice.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { useValue } from '../../../parts/use-value.ts'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import type { FilePlace, PanelHost } from '../../panel-definition.ts'
import bar from '../parts/tool-bar.module.css'
import styles from './code-editor.module.css'
import type { DocumentSession } from './document-session.ts'
import { type Editor, editorOf, makeView } from './editor-view.ts'
import { languageOf, loadLanguage } from './languages.ts'
import { useLanguageHelp } from './use-language-help.ts'
import { words } from './words.ts'

/** By then the dialog that was open, and the tab that came to the front, have had it. */
const FOCUS_GIVEN_BACK_MS = 200

interface FileEditorProps {
  host: PanelHost
  path: string
  session: DocumentSession
  /** Whether its tab is the one that shows. */
  isShown: boolean
  isReadOnly: boolean
  isTooLong: boolean
  /** What somebody wants to see of it. */
  place: FilePlace | undefined
  onShown: () => void
  onMoved: (path: string) => void
  /** Writes the text that is still here to a file of the same name. */
  restore: () => void
  close: () => void
}

/** One file, as everybody who has it open sees it. */
export function FileEditor({
  host,
  path,
  session,
  isShown,
  isReadOnly,
  isTooLong,
  place,
  onShown,
  onMoved,
  restore,
  close,
}: FileEditorProps) {
  const status = useValue(session.status)
  const now = useValue(session.path)
  const area = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<Editor>()
  const hasText = useValue(session.hasText)
  useEffect(() => {
    const { state } = session
    if (!hasText || area.current === null || state === undefined) return undefined
    const view = makeView(area.current, state)
    session.attach(view)
    setEditor(editorOf(view))
    return () => {
      session.detach()
      view.destroy()
    }
  }, [session, hasText])
  const moved = useRef(onMoved)
  useEffect(() => {
    moved.current = onMoved
  })
  useEffect(() => {
    if (now !== path) moved.current(now)
  }, [now, path])
  const shown = useEffectEvent(onShown)
  useEffect(() => {
    if (place === undefined || editor === undefined) return
    editor.show(place)
    shown()
    setTimeout(() => editor.focus(), FOCUS_GIVEN_BACK_MS)
  }, [editor, place])
  useEffect(() => editor?.setLabel(path), [editor, path])
  useEffect(() => editor?.setReadOnly(isReadOnly), [editor, isReadOnly])
  useEffect(() => {
    let isOld = false
    loadLanguage(languageOf(undefined, path)).then(
      (extension) => {
        if (!isOld) editor?.setLanguage(extension)
      },
      // Without its colors the text is still there to edit.
      () => {},
    )
    return () => {
      isOld = true
    }
  }, [editor, path])
  useLanguageHelp(isShown ? host : undefined, editor, path, languageOf(undefined, path))
  return (
    <div className={styles.file}>
      <div className={bar.notices}>
        {status.state === 'failed' && <FailureNotice error={status.error} retry={() => session.retry()} />}
        {status.state === 'gone' && (
          <Notice
            title={words.files.gone.title}
            tone="warning"
            isLive
            action={
              <div className={bar.choices}>
                {!isReadOnly && (
                  <Button size="sm" onPress={restore}>
                    {words.files.gone.restore}
                  </Button>
                )}
                <Button size="sm" variant="ghost" onPress={close}>
                  {words.files.close}
                </Button>
              </div>
            }
          >
            {words.files.gone.text}
          </Notice>
        )}
        {status.state === 'open' && status.refusal !== undefined && (
          <Notice title={words.files.refused} tone="danger" isLive>
            {status.refusal}
          </Notice>
        )}
        {isTooLong && (
          <Notice title={words.files.tooLong.title} tone="danger" isLive>
            {words.files.tooLong.text}
          </Notice>
        )}
      </div>
      {status.state === 'loading' && !hasText && <Skeleton label={words.files.loading(path)} lines={4} />}
      <div ref={area} className={styles.area} hidden={!hasText} />
    </div>
  )
}
