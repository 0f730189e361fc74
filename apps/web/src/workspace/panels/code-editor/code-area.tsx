import { useEffect, useRef } from 'react'
import styles from './code-editor.module.css'
import { type Editor, makeEditor } from './editor-view.ts'
import { type EditorLanguage, loadLanguage } from './languages.ts'
import { words } from './words.ts'

interface CodeAreaProps {
  /** Is given the editor, and null when it goes. */
  hold: (editor: Editor | null) => void
  text: string
  label: string
  language: EditorLanguage
  isReadOnly: boolean
  onEdit: () => void
  /** The focus has left, or the editor is about to go: its text can still be asked for. */
  onLeave: () => void
  onRun?: () => void
}

/** The editor that panels share. What it holds is its own: `text` is only what it begins with. */
export function CodeArea(props: CodeAreaProps) {
  const { language, isReadOnly, label } = props
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor>(null)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    if (place.current === null) return undefined
    const { text, label: name, onRun } = latest.current
    const made = makeEditor(place.current, {
      text,
      label: name,
      describedBy: words.leavingSpoken,
      isReadOnly: latest.current.isReadOnly,
      onEdit: () => latest.current.onEdit(),
      onLeave: () => latest.current.onLeave(),
      ...(onRun === undefined ? {} : { onRun: () => latest.current.onRun?.() }),
    })
    editor.current = made
    latest.current.hold(made)
    return () => {
      latest.current.onLeave()
      editor.current = null
      latest.current.hold(null)
      made.destroy()
    }
  }, [])
  // Not a new editor: it would begin with the text of long ago.
  useEffect(() => editor.current?.setLabel(label), [label])
  useEffect(() => editor.current?.setReadOnly(isReadOnly), [isReadOnly])
  useEffect(() => {
    let isOld = false
    loadLanguage(language).then(
      (extension) => {
        if (!isOld) editor.current?.setLanguage(extension)
      },
      // Without its colors the text is still there to edit.
      () => {},
    )
    return () => {
      isOld = true
    }
  }, [language])
  return <div ref={place} className={styles.area} />
}
