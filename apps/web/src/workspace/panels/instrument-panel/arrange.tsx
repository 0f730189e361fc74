import { createElement, Fragment, type ReactNode, useState } from 'react'
import styles from './instrument-panel.module.css'

/** What belongs together, below a heading. */
export function group(title: string, ...nodes: readonly ReactNode[]): ReactNode {
  const shown = nodes.filter((node) => node !== null)
  if (shown.length === 0) return null
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- not a set of form fields
    <div role="group" aria-label={title} className={styles.group}>
      <h2 className={styles.heading}>{title}</h2>
      {createElement(Fragment, null, ...shown)}
    </div>
  )
}

/** Across the whole panel. */
export function wide(node: ReactNode): ReactNode {
  return node === null ? null : <div className={styles.wide}>{node}</div>
}

/** Settings that are seldom changed, folded up. */
export function more(title: string, ...nodes: readonly ReactNode[]): ReactNode {
  const shown = nodes.filter((node) => node !== null)
  return shown.length === 0 ? null : <More title={title}>{createElement(Fragment, null, ...shown)}</More>
}

function More({ title, children }: { title: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles.more} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && <div className={styles.view}>{children}</div>}
    </details>
  )
}
