import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { Editor } from './editor-view.ts'
import { isStorable, StoredText, withPlainLines } from './stored-text.ts'

const PAUSE_MS = 500

export interface EditedText {
  /** What the editor begins with. */
  readonly text: string
  readonly onEdit: () => void
  readonly onLeave: () => void
  /** What somebody else has stored while there was something unstored here. */
  readonly theirs: string | undefined
  readonly takeTheirs: () => void
  readonly keepMine: () => void
  /** Whether the text is too long to be stored. */
  readonly isTooLong: boolean
}

/** Stores what is typed into an editor, and shows what others store. */
export function useStoredText(
  editor: RefObject<Editor | null>,
  storedText: string | undefined,
  store: (text: string) => void,
): EditedText {
  const stored = useMemo(() => withPlainLines(storedText ?? ''), [storedText])
  const [book] = useState(() => new StoredText(stored))
  const [text] = useState(stored)
  const [theirs, setTheirs] = useState<string>()
  const [isTooLong, setTooLong] = useState(false)

  const flush = useRef(() => {})
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    flush.current = () => {
      clearTimeout(pause.current)
      const typed = editor.current?.text()
      if (typed === undefined) return
      setTooLong(!isStorable(typed))
      if (book.send(typed)) store(typed)
    }
  })

  useEffect(() => {
    const now = editor.current
    if (now === null) return
    const arrival = book.arrive(stored, now.text())
    if (arrival === 'replace') now.follow(stored)
    // oxlint-disable-next-line react/set-state-in-effect -- what the editor holds is known here only
    if (arrival === 'conflict') setTheirs(stored)
  }, [book, editor, stored])

  useEffect(() => {
    const hidden = () => {
      if (document.visibilityState === 'hidden') flush.current()
    }
    document.addEventListener('visibilitychange', hidden)
    return () => document.removeEventListener('visibilitychange', hidden)
  }, [])

  return {
    text,
    onEdit() {
      clearTimeout(pause.current)
      pause.current = setTimeout(() => flush.current(), PAUSE_MS)
    },
    onLeave: () => flush.current(),
    theirs,
    takeTheirs() {
      if (theirs !== undefined) editor.current?.replace(theirs)
      setTheirs(undefined)
      flush.current()
    },
    keepMine: () => setTheirs(undefined),
    isTooLong,
  }
}
