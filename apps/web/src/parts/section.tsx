import { type ReactNode, useRef } from 'react'
import styles from './section.module.css'
import { useLostFocus } from './use-lost-focus.ts'

interface SectionProps {
  /** Its place in the address: `/account#sessions`. */
  id: string
  title: string
  lead: ReactNode
  action?: ReactNode
  children: ReactNode
}

/** A part of a page, with a heading that takes the focus when what had it inside has gone. */
export function Section({ id, title, lead, action, children }: SectionProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const lostFocus = useLostFocus(heading)
  return (
    <section {...lostFocus} aria-labelledby={id} className={styles.section}>
      <header className={styles.header}>
        <div className={styles.words}>
          <h2 ref={heading} id={id} tabIndex={-1} className={styles.title}>
            {title}
          </h2>
          <p className={styles.lead}>{lead}</p>
        </div>
        {action}
      </header>
      {children}
    </section>
  )
}
