import { type ReactNode, useId, useState } from 'react'
import { DialogTrigger } from 'react-aria-components/Dialog'
import { Button, type ButtonVariant } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FailureNotice } from '../server/failure-notice.tsx'
import { useAction } from '../server/use-action.ts'
import styles from './form-dialog.module.css'
import { words } from './words.ts'

interface FormDialogProps {
  /** On the button that opens it. */
  label: string
  icon?: ReactNode
  variant?: ButtonVariant
  title: string
  submitLabel: string
  canSubmit: boolean
  /** What it throws is shown. What it answers stands in place of the form; without an answer the dialog closes. */
  submit: () => Promise<ReactNode>
  children: ReactNode
}

/** A button and the small form that it opens. */
export function FormDialog({
  label,
  icon,
  variant = 'secondary',
  title,
  submitLabel,
  canSubmit,
  submit,
  children,
}: FormDialogProps) {
  const form = useId()
  const [isOpen, setIsOpen] = useState(false)
  const [result, setResult] = useState<ReactNode>()
  const submitting = useAction(async () => {
    const answer = await submit()
    setResult(answer)
    if (answer === undefined) setIsOpen(false)
  })
  const hasResult = result !== undefined
  const changeOpen = (open: boolean) => {
    // What is just being made would be shown to nobody.
    if (submitting.isPending) return
    submitting.forget()
    setResult(undefined)
    setIsOpen(open)
  }
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={changeOpen}>
      <Button icon={icon} variant={variant}>
        {label}
      </Button>
      <Dialog
        title={title}
        // No slip, and no second Enter, may lose what is shown only once.
        isDismissable={!hasResult}
        renderActions={(close) =>
          hasResult ? (
            <Button variant="primary" onPress={close}>
              {words.formDialog.done}
            </Button>
          ) : (
            <>
              <Button variant="ghost" isDisabled={submitting.isPending} onPress={close}>
                {words.formDialog.cancel}
              </Button>
              <Button
                type="submit"
                form={form}
                variant="primary"
                isDisabled={!canSubmit}
                isPending={submitting.isPending}
              >
                {submitLabel}
              </Button>
            </>
          )
        }
      >
        {hasResult ? (
          result
        ) : (
          <form
            id={form}
            className={styles.form}
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              if (canSubmit) submitting.run()
            }}
          >
            {children}
            <FailureNotice error={submitting.error} />
          </form>
        )}
      </Dialog>
    </DialogTrigger>
  )
}
