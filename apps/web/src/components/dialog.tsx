import { X } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Dialog as AriaDialog, Heading } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay, type ModalOverlayProps } from 'react-aria-components/Modal'
import { classes } from './classes.ts'
import styles from './dialog.module.css'
import { IconButton } from './icon-button.tsx'
import type { Size } from './types.ts'
import { words } from './words.ts'

interface DialogProps extends Pick<ModalOverlayProps, 'isOpen' | 'onOpenChange'> {
  title: string
  size?: Size
  /** `alertdialog` interrupts: it asks before something is lost. */
  role?: 'dialog' | 'alertdialog'
  /** Without it only a button at the lower edge closes the dialog: no slip, no Escape, no cross. */
  isDismissable?: boolean
  /** Buttons at the lower edge; the function closes the dialog. */
  renderActions?: (close: () => void) => ReactNode
  children: ReactNode
}

/** Opens from the `DialogTrigger` around it, or is controlled by `isOpen`. */
export function Dialog({
  title,
  size = 'md',
  role = 'dialog',
  isDismissable = true,
  renderActions,
  children,
  ...modal
}: DialogProps) {
  return (
    <ModalOverlay
      {...modal}
      isDismissable={isDismissable && role === 'dialog'}
      isKeyboardDismissDisabled={!isDismissable}
      data-overlay
      className={classes(styles.backdrop)}
    >
      <Modal className={classes(styles.modal)} data-size={size}>
        <AriaDialog role={role} className={classes(styles.dialog)}>
          {({ close }) => (
            <>
              <FocusLeaver />
              <header className={styles.header}>
                <Heading slot="title" className={classes(styles.title)}>
                  {title}
                </Heading>
                {isDismissable && (
                  <IconButton label={words.dialog.close} size="sm" onPress={close}>
                    <X aria-hidden />
                  </IconButton>
                )}
              </header>
              <div className={styles.body}>{children}</div>
              {renderActions !== undefined && (
                <footer className={styles.actions}>{renderActions(close)}</footer>
              )}
            </>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

/** What opened the dialog may go together with it, such as the row that it asks about. Without this nothing has the focus then, and Escape closes nothing. */
function FocusLeaver() {
  useEffect(
    () => () => {
      // React Aria gives the focus back in the next frame, if it can.
      requestAnimationFrame(() => requestAnimationFrame(focusOpenDialog))
    },
    [],
  )
  return null
}

function focusOpenDialog(): void {
  const { activeElement, body } = document
  const isLost = activeElement === null || activeElement === body || activeElement.closest('[inert]') !== null
  if (!isLost) return
  const open = [
    ...document.querySelectorAll<HTMLElement>('[data-overlay] :is([role=dialog], [role=alertdialog])'),
  ]
  open.at(-1)?.focus()
}
