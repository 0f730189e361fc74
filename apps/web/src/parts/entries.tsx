import type { ReactNode } from 'react'
import { Skeleton } from '../components/skeleton.tsx'
import { FailureNotice } from '../server/failure-notice.tsx'
import type { Answer } from '../session/use-loaded.ts'
import styles from './entries.module.css'
import { words } from './words.ts'

interface EntriesProps<Item> {
  /** What the list holds, for a screen reader. */
  label: string
  answer: Answer<{ readonly items: readonly Item[] }>
  reload: () => void
  empty: string
  keyOf: (item: Item) => string
  children: (item: Item) => ReactNode
}

/** A list that the server is asked for, in whatever state the answer is. */
export function Entries<Item>({ label, answer, reload, empty, keyOf, children }: EntriesProps<Item>) {
  if (answer.state === 'loading') return <Skeleton label={words.entries.loading(label)} />
  if (answer.state === 'failed') return <FailureNotice error={answer.error} retry={reload} />
  if (answer.value.items.length === 0) return <p className={styles.empty}>{empty}</p>
  return (
    <ul aria-label={label} className={styles.entries}>
      {answer.value.items.map((item) => (
        <li key={keyOf(item)} className={styles.entry}>
          {children(item)}
        </li>
      ))}
    </ul>
  )
}

interface EntryProps {
  icon?: ReactNode
  title: ReactNode
  badges?: ReactNode
  /** Short facts, side by side. */
  facts: readonly ReactNode[]
  actions?: ReactNode
}

export function Entry({ icon, title, badges, facts, actions }: EntryProps) {
  return (
    <>
      {icon !== undefined && <span className={styles.icon}>{icon}</span>}
      <div className={styles.text}>
        <p className={styles.title}>
          <span>{title}</span> {badges}
        </p>
        <ul className={styles.facts}>
          {facts.map((fact, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a fixed row of facts
            <li key={index}>{fact}</li>
          ))}
        </ul>
      </div>
      {actions !== undefined && actions !== false && <div className={styles.actions}>{actions}</div>}
    </>
  )
}
