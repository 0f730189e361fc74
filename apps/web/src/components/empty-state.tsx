import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './empty-state.module.css'

interface EmptyStateProps {
  title: string
  /** A picture of what is missing: an icon or an empty jack. */
  picture?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** In place of a list that has nothing in it: says why, and what to do next. */
export function EmptyState({ title, picture, actions, children }: EmptyStateProps) {
  return (
    <div className={classes(styles.empty)}>
      {picture !== undefined && <div className={styles.picture}>{picture}</div>}
      <h2 className={styles.title}>{title}</h2>
      <div className={styles.text}>{children}</div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
