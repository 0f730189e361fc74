import type { ReactNode } from 'react'
import styles from './panel-frame.module.css'

interface PanelMessageProps {
  title: string
  action?: ReactNode
  children: ReactNode
}

/** In place of what a panel would show. */
export function PanelMessage({ title, action, children }: PanelMessageProps) {
  return (
    <div className={styles.message}>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.text}>{children}</p>
      {action}
    </div>
  )
}
