import { type ReactNode, useEffect } from 'react'
import styles from './page.module.css'
import { words } from './words.tsx'

interface PageProps {
  /** The tab's name; also the heading unless one is given. */
  title: string
  /** A small word above the heading: where in the product this is. */
  legend?: ReactNode
  lead?: ReactNode
  children: ReactNode
}

/** Every page: its title in the tab, one first-level heading, a sentence of what it is for. */
export function Page({ title, legend, lead, children }: PageProps) {
  useDocumentTitle(title)
  return (
    <>
      <header className={styles.header}>
        {legend !== undefined && <p className={styles.legend}>{legend}</p>}
        <h1 tabIndex={-1} className={styles.heading}>
          {title}
        </h1>
        {lead !== undefined && <p className={styles.lead}>{lead}</p>}
      </header>
      {children}
    </>
  )
}

export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = title === words.product ? title : words.tabTitle(title)
  }, [title])
}
