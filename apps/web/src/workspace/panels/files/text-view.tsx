import { defaultKeymap } from '@codemirror/commands'
import { goToNextChunk, goToPreviousChunk, unifiedMergeView } from '@codemirror/merge'
import { search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { editorTheme } from '../code-editor/editor-theme.ts'
import { languageOf, loadLanguage } from '../code-editor/languages.ts'
import styles from './files.module.css'

interface TextViewProps {
  label: string
  /** Tells the language. */
  fileName: string
  text: string
  /** What it is compared with: lines that are gone and lines that are new are then marked. */
  before?: string | undefined
}

/** A text to read, with its colors, or what is different between two. Loaded when a file is first opened. */
export function TextView({ label, fileName, text, before }: TextViewProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (place.current === null) return undefined
    // In a root of its own, where the editor's styles are sheets: as elements the policy would forbid them.
    const root =
      place.current.shadowRoot ?? place.current.attachShadow({ mode: 'open', delegatesFocus: true })
    const language = new Compartment()
    const view = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: text,
        extensions: [
          language.of([]),
          lineNumbers(),
          highlightSpecialChars(),
          drawSelection(),
          search({ top: true }),
          keymap.of([...searchKeymap, ...defaultKeymap]),
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          editorTheme,
          before === undefined ? [] : differences(before),
        ],
      }),
    })
    let isGone = false
    loadLanguage(languageOf(undefined, fileName)).then(
      (extension) => {
        if (!isGone) view.dispatch({ effects: language.reconfigure(extension) })
      },
      // Without its colors the text is still there to read.
      () => {},
    )
    return () => {
      isGone = true
      view.destroy()
    }
  }, [label, fileName, text, before])
  return <div ref={place} className={styles.text} />
}

/** A machine that is busy shows whole lines as different rather than nothing at all. */
const LONGEST_DIFF_MS = 1_000

function differences(original: string): Extension {
  return [
    unifiedMergeView({
      original,
      mergeControls: false,
      collapseUnchanged: { margin: 3, minSize: 6 },
      diffConfig: { scanLimit: 2_000, timeout: LONGEST_DIFF_MS },
    }),
    keymap.of([
      { key: 'F7', run: goToNextChunk },
      { key: 'Shift-F7', run: goToPreviousChunk },
    ]),
    marks,
  ]
}

/** With signs beside the colors, for those who do not tell these apart. */
const marks = EditorView.theme({
  '.cm-changeGutter': { width: '1.25em', paddingLeft: '0' },
  '.cm-changedLineGutter, .cm-deletedLineGutter': {
    background: 'none !important',
    textAlign: 'center',
    color: 'var(--text)',
  },
  '.cm-changedLineGutter::before': { content: '"+"' },
  '.cm-deletedLineGutter::before': { content: '"−"' },
  '& .cm-changedLine, .cm-inlineChangedLine': { backgroundColor: 'var(--ok-soft) !important' },
  '& .cm-changedText': {
    background: 'color-mix(in oklab, var(--ok-lamp) 32%, transparent) !important',
    textDecoration: 'none',
  },
  '& .cm-deletedChunk': { backgroundColor: 'var(--danger-soft)', paddingLeft: '6px' },
  '& .cm-deletedChunk .cm-deletedText, & .cm-deletedText': {
    background: 'color-mix(in oklab, var(--danger-lamp) 28%, transparent) !important',
  },
  '& .cm-deletedChunk del, & .cm-deletedChunk .cm-deletedLine': { textDecoration: 'none' },
  '.cm-collapsedLines': {
    color: 'var(--text-muted)',
    background: 'var(--surface-sunken) !important',
    padding: '4px 8px',
    fontFamily: 'var(--font-sans)',
    fontSize: 'var(--size-xs)',
  },
})
