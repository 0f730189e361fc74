import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'

/**
 * When what had the focus inside a part of the page has gone, as an entry that was removed, moves the focus to the
 * heading of that part: it would fall to the top of the page. Answers what the part must be given.
 */
export function useLostFocus(heading: RefObject<HTMLElement | null>): {
  onFocus: (event: FocusEvent) => void
} {
  const wasInside = useRef(false)
  useEffect(() => {
    const elsewhere = () => {
      wasInside.current = false
    }
    // Before React's own listener, which then says whether it was inside, also for a dialog that hangs elsewhere.
    document.addEventListener('focusin', elsewhere, { capture: true })
    return () => document.removeEventListener('focusin', elsewhere, { capture: true })
  }, [])
  useEffect(() => {
    // A dialog gives the focus back in the next frame; only what is lost after that is lost.
    const later = setTimeout(() => {
      const isLost = document.activeElement === null || document.activeElement === document.body
      // While a dialog is open, what lies behind it takes no focus.
      const isBehind = heading.current?.closest('[inert], [aria-hidden=true]') !== null
      if (wasInside.current && isLost && !isBehind) heading.current?.focus({ preventScroll: true })
    }, 100)
    return () => clearTimeout(later)
  })
  return {
    onFocus: () => {
      wasInside.current = true
    },
  }
}
