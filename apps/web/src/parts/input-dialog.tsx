import { type ReactNode, useId } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import type { Size } from '../components/types.ts'
import styles from './form-dialog.module.css'
import { words } from './words.ts'

interface InputDialogProps {
  title: string
  size?: Size
  submitLabel: string
  /** Without it neither the button nor Enter submits. */
  canSubmit?: boolean
  isPending?: boolean
  submit: () => void
  close: () => void
  children: ReactNode
}

/** A small form that somebody opened by another way than its own button, such as a menu or a key. */
export function InputDialog({
  title,
  size = 'md',
  submitLabel,
  canSubmit = true,
  isPending = false,
  submit,
  close,
  children,
}: InputDialogProps) {
  const form = useId()
  return (
    <Dialog
      title={title}
      size={size}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) close()
      }}
      renderActions={() => (
        <>
          <Button variant="ghost" onPress={close}>
            {words.formDialog.cancel}
          </Button>
          <Button type="submit" form={form} variant="primary" isDisabled={!canSubmit} isPending={isPending}>
            {submitLabel}
          </Button>
        </>
      )}
    >
      <form
        id={form}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (canSubmit) submit()
        }}
      >
        {children}
      </form>
    </Dialog>
  )
}
