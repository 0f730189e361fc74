import { type ReactNode, useState } from 'react'
import { DialogTrigger } from 'react-aria-components/Dialog'
import { Button, type ButtonVariant } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FailureNotice } from '../server/failure-notice.tsx'
import { useAction } from '../server/use-action.ts'
import type { Size } from '../components/types.ts'

interface ConfirmButtonProps {
  label: string
  /** What a screen reader says, where the same label stands in many rows. */
  fullLabel?: string
  size?: Size
  question: string
  /** What will happen, in a sentence. */
  children: ReactNode
  confirmLabel: string
  cancelLabel?: string
  confirmVariant?: ButtonVariant
  confirm: () => Promise<void>
}

/** A button for what should not happen by a slip: asks first, and stays open with the reason when it did not work. */
export function ConfirmButton({
  label,
  fullLabel,
  size = 'sm',
  question,
  children,
  confirmLabel,
  cancelLabel = 'Keep it',
  confirmVariant = 'danger',
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
              onPress={() => confirming.run()}
            >
              {confirmLabel}
            </Button>
          </>
        )}
      >
        <p>{children}</p>
        <FailureNotice error={confirming.error} />
      </Dialog>
    </DialogTrigger>
  )
}
