import { Problem } from '@patchbay/contracts/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/text-field.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useAction } from '../../server/use-action.ts'
import styles from './account-form.module.css'
import { HandleField, isHandle } from './handle-field.tsx'
import { isShownName, tidyName } from './shown-name.ts'
import { words } from './words.tsx'

export interface AccountNames {
  readonly handle: string
  readonly display_name: string
}

interface AccountFormProps {
  suggested?: AccountNames
  submitLabel: string
  icon?: ReactNode
  /** Makes the account; what it throws is shown. */
  submit: (names: AccountNames) => Promise<void>
}

/** How a new account is called. */
export function AccountForm({
  suggested = { handle: '', display_name: '' },
  submitLabel,
  icon,
  submit,
}: AccountFormProps) {
  const [handle, setHandle] = useState(suggested.handle)
  const [name, setName] = useState(suggested.display_name)
  const [taken, setTaken] = useState<string>()
  /** How often somebody wanted to go on and could not. */
  const [refusals, setRefusals] = useState(0)
  const wasTried = refusals > 0
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [refusals])
  const refuse = () => setRefusals((count) => count + 1)
  const making = useAction(async (names: AccountNames) => {
    try {
      await submit(names)
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'handle_taken')) throw error
      // Said at the field, where it can be mended.
      setTaken(names.handle)
      refuse()
    }
  })
  const names = { handle, display_name: tidyName(name) }
  const nameError =
    wasTried && !isShownName(names.display_name) ? nameComplaint(names.display_name) : undefined
  return (
    <form
      ref={form}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isHandle(handle) && isShownName(names.display_name)) making.run(names)
        else refuse()
      }}
    >
      <HandleField value={handle} onChange={setHandle} taken={taken} isTried={wasTried} />
      <TextField
        label={words.name.label}
        description={words.name.description}
        errorMessage={nameError}
        value={name}
        onChange={setName}
        isRequired
        autoComplete="name"
        size="lg"
      />
      <FailureNotice error={making.error} />
      <Button type="submit" variant="primary" size="lg" icon={icon} isPending={making.isPending}>
        {submitLabel}
      </Button>
    </form>
  )
}

function nameComplaint(name: string): string {
  if (name === '') return words.name.missing
  return name.length > 80 ? words.name.tooLong : words.name.notDisplayable
}
