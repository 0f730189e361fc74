import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type FilterName, withFilter } from './catalog-query.ts'

const PAUSE_MS = 250

export interface TypedFilter {
  readonly text: string
  readonly type: (text: string) => void
  /** Nobody has typed for a moment, and what stands there cannot be asked for. */
  readonly isRefused: boolean
}

/** A filter that is typed: it goes into the address when the typing pauses. */
export function useTypedFilter(name: FilterName, isTakeable: (text: string) => boolean): TypedFilter {
  const [params, setParams] = useSearchParams()
  const inAddress = params.get(name) ?? ''
  const [text, setText] = useState(inAddress)
  const [settled, setSettled] = useState(inAddress)
  const written = useRef(inAddress)

  // Somebody went back, or followed a link to another search.
  useEffect(() => {
    if (inAddress === written.current) return
    written.current = inAddress
    setText(inAddress)
    setSettled(inAddress)
  }, [inAddress])

  // Always of the latest render: an older one would bring back filters that were changed meanwhile.
  const write = useRef((_text: string) => {})
  useEffect(() => {
    write.current = (typed) => {
      setSettled(typed)
      const wanted = typed.trim()
      const value = wanted === '' || isTakeable(wanted) ? wanted : ''
      if (value === written.current) return
      // One step back leads to before the word, not to before its last letter.
      const isFirst = written.current === ''
      written.current = value
      setParams(withFilter(params, name, value), { replace: !isFirst, preventScrollReset: true })
    }
  })
  useEffect(() => {
    const later = setTimeout(() => write.current(text), PAUSE_MS)
    return () => clearTimeout(later)
  }, [text])

  const isRefused = settled === text && text.trim() !== '' && !isTakeable(text.trim())
  return { text, type: setText, isRefused }
}
