import { type ReactNode, useState } from 'react'
import { DialogTrigger } from 'react-aria-components/Dialog'
import { Button, type ButtonVariant } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import type { Size } from '../components/types.ts'
import { FailureNotice } from '../server/failure-notice.tsx'
import { useAction } from '../server/use-action.ts'
import styles from './confirm-button.module.css'
import { words } from './words.ts'

interface ConfirmButtonProps {
  label: string
  /** What a screen reader says, where the same label stands in many rows. */
  fullLabel?: string
  size?: Size
  question: string
  /** What will happen, in a sentence. */
  children: ReactNode
  /** What the answer needs to know. */
  field?: ReactNode
  confirmLabel: string
  cancelLabel?: string
  confirmVariant?: ButtonVariant
  /** While the field is not filled in. */
  isDisabled?: boolean
  confirm: () => Promise<void>
}

/** A button for what should not happen by a slip: asks first, and stays open with the reason when it did not work. */
export function ConfirmButton({
  label,
  fullLabel,
  size = 'sm',
  question,
  children,
  field,
  confirmLabel,
  cancelLabel = words.confirmButton.cancel,
  confirmVariant = 'danger',
  isDisabled = false,
  confirm,
}: ConfirmButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  const confirming = useAction(async () => {
    await confirm()
    setIsOpen(false)
  })
  return (
    <DialogTrigger
      isOpen={isOpen}
      onOpenChange={(open) => {
        confirming.forget()
        setIsOpen(open)
      }}
    >
      <Button size={size} aria-label={fullLabel ?? label}>
        {label}
      </Button>
      <Dialog
        title={question}
        role="alertdialog"
        size="sm"
        renderActions={(close) => (
          <>
            <Button variant="ghost" onPress={close}>
              {cancelLabel}
            </Button>
            <Button
              variant={confirmVariant}
              isPending={confirming.isPending}
              isDisabled={isDisabled}
              onPress={() => confirming.run()}
            >
              {confirmLabel}
            </Button>
          </>
        )}
      >
        <p>{children}</p>
        {field !== undefined && <div className={styles.field}>{field}</div>}
        <FailureNotice error={confirming.error} />
      </Dialog>
    </DialogTrigger>
  )
}
