import { postPasskey, postPasskeyOptions } from '@patchbay/contracts/identity'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { TextField } from '../../components/text-field.tsx'
import { notify } from '../../components/toast.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useSession } from '../../session/session-context.tsx'
import { makePasskey } from '../passkeys/passkey.ts'
import { isShownName, tidyName } from '../sign-up/shown-name.ts'
import { words } from './words.tsx'

const LONGEST = 60

/** A name for it first: afterwards the list would hold two of the same kind that nobody can tell apart. */
export function AddPasskey({ onAdded }: { onAdded: () => void }) {
  const { change } = useSession()
  const [label, setLabel] = useState('')
  const add = async () => {
    const options = await change(postPasskeyOptions, {})
    const credential = await makePasskey(options.body)
    await change(postPasskey, { body: { credential, label: tidyName(label) } })
    notify({ title: words.passkeys.add.done })
    setLabel('')
    onAdded()
    return undefined
  }
  return (
    <FormDialog
      label={words.passkeys.add.label}
      icon={<Plus aria-hidden />}
      title={words.passkeys.add.title}
      submitLabel={words.passkeys.add.submit}
      canSubmit={isShownName(tidyName(label))}
      submit={add}
    >
      <TextField
        label={words.passkeys.add.name.label}
        description={words.passkeys.add.name.description}
        placeholder={words.passkeys.add.name.placeholder}
        value={label}
        onChange={setLabel}
        maxLength={LONGEST}
        isRequired
      />
    </FormDialog>
  )
}
