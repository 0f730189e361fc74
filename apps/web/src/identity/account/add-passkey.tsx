import { postPasskey, postPasskeyOptions } from '@patchbay/contracts/identity'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { TextField } from '../../components/text-field.tsx'
import { notify } from '../../components/toast.tsx'
import { useSession } from '../../session/session-context.tsx'
import { FormDialog } from '../form-dialog.tsx'
import { makePasskey } from '../passkeys/passkey.ts'
import { isShownName, tidyName } from '../sign-up/shown-name.ts'

const LONGEST = 60

/** A name for it first: afterwards the list would hold two of the same kind that nobody can tell apart. */
export function AddPasskey({ onAdded }: { onAdded: () => void }) {
  const { change } = useSession()
  const [label, setLabel] = useState('')
  const add = async () => {
    const options = await change(postPasskeyOptions, {})
    const credential = await makePasskey(options.body)
    await change(postPasskey, { body: { credential, label: tidyName(label) } })
    notify({ title: 'Passkey added.' })
    setLabel('')
    onAdded()
    return undefined
  }
  return (
    <FormDialog
      label="Add a passkey"
      icon={<Plus aria-hidden />}
      title="Add a passkey"
      submitLabel="Create passkey"
      canSubmit={isShownName(tidyName(label))}
      submit={add}
    >
      <TextField
        label="Name"
        description="Helps you recognize it later: the device or the password manager."
        placeholder="Work laptop"
        value={label}
        onChange={setLabel}
        maxLength={LONGEST}
        isRequired
      />
    </FormDialog>
  )
}
