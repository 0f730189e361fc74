import { X } from 'lucide-react'
import {
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as AriaToastRegion,
} from 'react-aria-components/Toast'
import { classes } from './classes.ts'
import { IconButton } from './icon-button.tsx'
import { NOTICE_ICONS, type NoticeTone } from './notice.tsx'
import styles from './toast.module.css'

interface ToastMessage {
  title: string
  tone?: NoticeTone
}

// Three at a time: more would cover the page they talk about. The rest wait.
const queue = new ToastQueue<ToastMessage>({ maxVisibleToasts: 3 })

/** Says that something was done. What must not be missed is a Notice instead: a toast leaves by itself. */
export function notify(message: ToastMessage): void {
  queue.add(message, { timeout: 6000 })
}

/** Stands once, in the shell. */
export function ToastRegion() {
  return (
    <AriaToastRegion queue={queue} className={classes(styles.region)}>
      {({ toast }) => {
        const { title, tone = 'ok' } = toast.content
        const Icon = NOTICE_ICONS[tone]
        return (
          <AriaToast toast={toast} className={classes(styles.toast)} data-tone={tone}>
            <Icon aria-hidden className={styles.icon} />
            <ToastContent className={classes(styles.text)}>{title}</ToastContent>
            <IconButton slot="close" label="Dismiss" size="sm">
              <X aria-hidden />
            </IconButton>
          </AriaToast>
        )
      }}
    </AriaToastRegion>
  )
}
