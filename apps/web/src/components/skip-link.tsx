import type { MouseEvent, RefObject } from 'react'
import styles from './skip-link.module.css'

interface SkipLinkProps {
  /** What is reached; it must be able to take the focus, and have the id `main`. */
  target: RefObject<HTMLElement | null>
  children: string
}

/** The first stop of a page for those who use the keyboard. Seen while it has the focus. */
export function SkipLink({ target, children }: SkipLinkProps) {
  // Focus without the fragment: it would stay in the address and in every copied link.
  const skip = (event: MouseEvent) => {
    event.preventDefault()
    target.current?.focus()
  }
  return (
    <a href="#main" className={styles.link} onClick={skip}>
      {children}
    </a>
  )
}
