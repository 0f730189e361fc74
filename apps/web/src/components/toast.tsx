import { X } from 'lucide-react'
import {
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastRegion as AriaToastRegion,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
} from 'react-aria-components/Toast'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import { IconButton } from './icon-button.tsx'
import { NOTICE_ICONS, type NoticeTone } from './notice.tsx'
import styles from './toast.module.css'
import { words } from './words.ts'

interface ToastMessage {
  title: string
  tone?: NoticeTone
  /** What can be done about it, as long as the toast is there. */
  action?: { label: string; run: () => void }
  /** Until it is dismissed, where something would be lost with it. */
  stays?: boolean
}

// Three at a time: more would cover the page they talk about. The rest wait.
const queue = new ToastQueue<ToastMessage>({ maxVisibleToasts: 3 })

const SHOWN_MS = 6000
/** Long enough to read it, to decide, and to get there with the keyboard. */
const SHOWN_WITH_ACTION_MS = 12_000

/**
 * Says that something was done. What must not be missed is a Notice instead: a toast leaves by itself, unless it stays.
 * Answers with what takes it away earlier.
 */
export function notify(message: ToastMessage): () => void {
  const timeout = message.action === undefined ? SHOWN_MS : SHOWN_WITH_ACTION_MS
  const key = queue.add(message, message.stays === true ? {} : { timeout })
  return () => queue.close(key)
}

/** Stands once, in the shell. */
export function ToastRegion() {
  return (
    <AriaToastRegion queue={queue} className={classes(styles.region)}>
      {({ toast }) => {
        const { title, tone = 'ok', action } = toast.content
        const Icon = NOTICE_ICONS[tone]
        return (
          <AriaToast toast={toast} className={classes(styles.toast)} data-tone={tone}>
            <Icon aria-hidden className={styles.icon} />
            <ToastContent className={classes(styles.text)}>{title}</ToastContent>
            {action !== undefined && (
              <Button
                size="sm"
                variant="ghost"
                onPress={() => {
                  queue.close(toast.key)
                  action.run()
                }}
              >
                {action.label}
              </Button>
            )}
            <IconButton slot="close" label={words.toast.dismiss} size="sm">
              <X aria-hidden />
            </IconButton>
          </AriaToast>
        )
      }}
    </AriaToastRegion>
  )
}
