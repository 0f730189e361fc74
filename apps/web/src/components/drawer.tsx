import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay, type ModalOverlayProps } from 'react-aria-components/Modal'
import { classes } from './classes.ts'
import dialog from './dialog.module.css'
import styles from './drawer.module.css'
import { IconButton } from './icon-button.tsx'
import { words } from './words.ts'

interface DrawerProps extends Pick<ModalOverlayProps, 'isOpen' | 'onOpenChange'> {
  title: string
  /** Wide for what is read, narrow for what is chosen from. */
  size?: 'narrow' | 'wide'
  children: (close: () => void) => ReactNode
}

/** A dialog that slides in from the right edge: for navigation and details on a phone. */
export function Drawer({ title, size = 'narrow', children, ...modal }: DrawerProps) {
  return (
    <ModalOverlay isDismissable {...modal} data-overlay className={classes(dialog.backdrop, styles.backdrop)}>
      <Modal className={classes(styles.modal)} data-size={size}>
        <AriaDialog className={classes(dialog.dialog)}>
          {({ close }) => (
            <>
              <header className={dialog.header}>
                <Heading slot="title" className={classes(dialog.title)}>
                  {title}
                </Heading>
                <IconButton label={words.dialog.close} onPress={close}>
                  <X aria-hidden />
                </IconButton>
              </header>
              <div className={classes(dialog.body, styles.body)}>{children(close)}</div>
            </>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
