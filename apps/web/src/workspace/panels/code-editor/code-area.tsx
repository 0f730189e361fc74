import { useEffect, useRef, useState } from 'react'
import type { PanelHost } from '../../panel-definition.ts'
import styles from './code-editor.module.css'
import { type Editor, makeEditor } from './editor-view.ts'
import { type EditorLanguage, loadLanguage } from './languages.ts'
import { useLanguageHelp } from './use-language-help.ts'
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
  /** Suggestions, once somebody writes: the name of the text, if it has one. */
  help?: { readonly host: PanelHost; readonly path: string }
}

/** The editor that panels share. What it holds is its own: `text` is only what it begins with. */
export function CodeArea(props: CodeAreaProps) {
  const { language, isReadOnly, label, help } = props
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor>(null)
  const [helped, setHelped] = useState<Editor>()
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
    place.current.addEventListener('focusin', () => setHelped(made), { once: true })
    latest.current.hold(made)
    return () => {
      latest.current.onLeave()
      editor.current = null
      setHelped(undefined)
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
  useLanguageHelp(help?.host, helped, help?.path ?? '', language)
  return <div ref={place} className={styles.area} />
}
