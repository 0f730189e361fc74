import { type RefObject, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * Moves focus to the new page's heading, or to the heading that the address names, after a navigation. Without it
 * the focus stays on a link of the page before, and a screen reader says nothing about the change.
 */
export function useHeadingFocus(main: RefObject<HTMLElement | null>): void {
  const { pathname, hash } = useLocation()
  const shown = useRef(pathname + hash)
  useEffect(() => {
    if (shown.current === pathname + hash) return
    shown.current = pathname + hash
    const named =
      hash === '' ? null : document.querySelector<HTMLElement>(`main #${CSS.escape(hash.slice(1))}`)
    const heading = named ?? main.current?.querySelector('h1')
    heading?.focus({ preventScroll: true })
  }, [pathname, hash, main])
}
