import { useEffect, useRef } from 'react'

/**
 * When the key changes and the control that led to that has gone and taken the focus with it, moves the focus to the
 * heading: without this a screen reader would say nothing. The first key that is known changes nothing.
 */
export function useRefocus(key: string | undefined): void {
  const shown = useRef(key)
  useEffect(() => {
    if (key === undefined || shown.current === key) return
    const isFirst = shown.current === undefined
    shown.current = key
    if (isFirst || document.activeElement !== document.body) return
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [key])
}
