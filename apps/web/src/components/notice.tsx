import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './notice.module.css'

export type NoticeTone = 'info' | 'ok' | 'warning' | 'danger'

interface NoticeProps {
  title: string
  tone?: NoticeTone
  /** Set where the notice appears after the page was read; a screen reader then speaks it. */
  isLive?: boolean
  action?: ReactNode
  children?: ReactNode
}

export const NOTICE_ICONS = { info: Info, ok: CircleCheck, warning: TriangleAlert, danger: CircleAlert }

/** A message that stays where it belongs. */
export function Notice({ title, tone = 'info', isLive = false, action, children }: NoticeProps) {
  const Icon = NOTICE_ICONS[tone]
  const live = isLive ? { role: tone === 'danger' ? 'alert' : 'status' } : {}
  return (
    <div {...live} className={classes(styles.notice)} data-tone={tone}>
      <Icon aria-hidden className={styles.icon} />
      <div className={styles.text}>
        <p className={styles.title}>{title}</p>
        {children !== undefined && <div className={styles.more}>{children}</div>}
      </div>
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  )
}
