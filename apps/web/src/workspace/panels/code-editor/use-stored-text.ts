import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { BasedOn, PanelProps, PanelState } from '../../panel-definition.ts'
import type { Editor } from './editor-view.ts'
import { type Arrival, isStorable, type ServerText, StoredText, withPlainLines } from './stored-text.ts'

const PAUSE_MS = 500

export interface EditedText {
  /** What the editor begins with. */
  readonly text: string
  readonly onEdit: () => void
  readonly onLeave: () => void
  /** Whether somebody else has stored another text while there was something unstored here. Until it is settled nothing is stored. */
  readonly isConflict: boolean
  readonly takeTheirs: () => void
  readonly keepMine: () => void
  /** Theirs stays here, mine goes into a new tab. */
  readonly keepBoth: () => void
  /** `unstored`: another page has such a conflict. `replaced`: its text has taken the place of what was written here. */
  readonly other: 'unstored' | 'replaced' | undefined
  /** Puts the text that was written here into a new tab. */
  readonly keepCopy: () => void
  readonly dismissOther: () => void
  /** Whether the text is too long to be stored. */
  readonly isTooLong: boolean
}

type Surroundings = Pick<
  PanelProps,
  'state' | 'stored' | 'mayChange' | 'setState' | 'openCopy' | 'offerCopy' | 'host'
>

/** Stores what is typed into an editor under a key of the panel's state, and shows what others store. */
export function useStoredText(
  editor: RefObject<Editor | null>,
  key: 'text' | 'code',
  { state, stored, mayChange, setState, openCopy, offerCopy, host: { pageId } }: Surroundings,
): EditedText {
  const server = textIn(stored, key)
  const [book] = useState(() => new StoredText(server))
  const [text] = useState(server.text)
  const [isConflict, setConflict] = useState(false)
  const [replaced, setReplaced] = useState<string>()
  const [isTooLong, setTooLong] = useState(false)
  const { conflict: marked, ...rest } = state
  const isMarkedElsewhere = typeof marked === 'string' && marked !== pageId
  const wasMarkedElsewhere = useRef(isMarkedElsewhere)

  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  const steps = useRef({ arrive: (_shown: ServerText) => {}, flush: () => {}, leave: () => {} })
  const offered = useRef(() => {})
  useEffect(() => {
    const isContested = wasMarkedElsewhere.current || isMarkedElsewhere
    const heed = (arrival: Arrival, shown: ServerText) => {
      if (arrival === 'replace') {
        if (isContested) setReplaced(book.replaced)
        editor.current?.follow(shown.text)
      }
      setConflict(book.theirs !== undefined)
    }
    /** Where it was written is gone, or about to go. */
    const offer = (written: string) => {
      offered.current()
      offered.current = offerCopy({ ...rest, [key]: written })
    }
    steps.current = {
      arrive(shown) {
        const now = editor.current
        if (now !== null) heed(book.arrive(shown, now.text()), shown)
        wasMarkedElsewhere.current = isMarkedElsewhere
      },
      flush() {
        clearTimeout(pause.current)
        const typed = editor.current?.text()
        if (typed === undefined || !mayChange) return
        setTooLong(!isStorable(typed))
        const base = book.send(typed)
        if (base === undefined) return
        const onAnswer: BasedOn['onAnswer'] = ({ outcome, shown }) => {
          if (editor.current === null && outcome !== 'stored') return offer(typed)
          const now = textIn(shown, key)
          heed(book.answer(typed, outcome === 'stored', now, editor.current?.text() ?? typed), now)
          // Something else of the panel was changed: the text can be stored all the same.
          if (outcome === 'outdated') steps.current.flush()
        }
        setState({ [key]: typed }, { revision: base, onAnswer })
      },
      leave() {
        const typed = editor.current?.text()
        if (book.theirs !== undefined && typed !== undefined) offer(typed)
      },
    }
  })
  // Before the editor goes.
  useLayoutEffect(() => () => steps.current.leave(), [])
  const { text: storedText, revision } = server
  useEffect(() => steps.current.arrive({ text: storedText, revision }), [storedText, revision])

  useEffect(() => {
    const hidden = () => {
      if (document.visibilityState === 'hidden') steps.current.flush()
    }
    document.addEventListener('visibilitychange', hidden)
    return () => document.removeEventListener('visibilitychange', hidden)
  }, [])

  // Told to the other pages, so that their people know that a decision is pending.
  const isMarking = useRef(false)
  const unmark = useRef(() => {})
  useEffect(() => {
    unmark.current = () => {
      if (isMarking.current && marked === pageId) setState({ conflict: null })
      isMarking.current = false
    }
  })
  useEffect(() => {
    if (!mayChange || isConflict === isMarking.current) return
    if (!isConflict) return unmark.current()
    isMarking.current = true
    setState({ conflict: pageId })
  }, [isConflict, mayChange, pageId, setState])
  useEffect(() => {
    if (!isConflict) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    const leave = () => unmark.current()
    addEventListener('beforeunload', ask)
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('beforeunload', ask)
      removeEventListener('pagehide', leave)
    }
  }, [isConflict])

  const settle = () => {
    book.settle()
    setConflict(false)
  }
  const takeTheirs = () => {
    if (book.theirs !== undefined) editor.current?.replace(book.theirs)
    settle()
  }
  const copy = (copied: string | undefined): boolean => {
    if (copied === undefined) return false
    const isShort = isStorable(copied)
    setTooLong(!isShort)
    return isShort && openCopy({ ...rest, [key]: copied })
  }
  return {
    text,
    onEdit() {
      clearTimeout(pause.current)
      pause.current = setTimeout(() => steps.current.flush(), PAUSE_MS)
    },
    onLeave: () => steps.current.flush(),
    isConflict,
    takeTheirs,
    keepMine() {
      settle()
      steps.current.flush()
    },
    keepBoth() {
      if (copy(editor.current?.text())) takeTheirs()
    },
    other: replaced !== undefined ? 'replaced' : isMarkedElsewhere && !isConflict ? 'unstored' : undefined,
    keepCopy() {
      if (copy(replaced ?? editor.current?.text())) setReplaced(undefined)
    },
    dismissOther() {
      setReplaced(undefined)
      if (isMarkedElsewhere && mayChange) setState({ conflict: null })
    },
    isTooLong,
  }
}

function textIn({ state, revision }: { state: PanelState; revision: number }, key: string): ServerText {
  const text = state[key]
  return { text: withPlainLines(typeof text === 'string' ? text : ''), revision }
}
