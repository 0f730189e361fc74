import type { ReactNode } from 'react'
import { useDocumentTitle } from '../shell/page.tsx'
import { Plate, type PlateState } from './plate.tsx'
import styles from './sheet.module.css'
import { useRefocus } from './use-refocus.ts'

export interface SheetProps {
  /** The heading, and the name of the tab. */
  title: string
  lead?: ReactNode
  plate: PlateState
  children?: ReactNode
}

/** A page with one question or one form. Stays mounted while a page goes from one state to the next. */
export function Sheet({ title, lead, plate, children }: SheetProps) {
  useDocumentTitle(title)
  useRefocus(title)
  return (
    <div className={styles.sheet}>
      <Plate state={plate} />
      <div className={styles.body}>
        <header className={styles.header}>
          <h1 tabIndex={-1} className={styles.heading}>
            {title}
          </h1>
          {lead !== undefined && <p className={styles.lead}>{lead}</p>}
        </header>
        {children}
      </div>
    </div>
  )
}
