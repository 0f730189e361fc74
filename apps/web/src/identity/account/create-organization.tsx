import { Problem } from '@patchbay/contracts/core'
import { postOrganization } from '@patchbay/contracts/identity'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { TextField } from '../../components/text-field.tsx'
import { notify } from '../../components/toast.tsx'
import { useSession } from '../../session/session-context.tsx'
import { FormDialog } from '../form-dialog.tsx'
import { HandleField, isHandle } from '../sign-up/handle-field.tsx'
import { isShownName, tidyName } from '../sign-up/shown-name.ts'

export function CreateOrganization({ onCreated }: { onCreated: () => void }) {
  const { change } = useSession()
  const [handle, setHandle] = useState('')
  const [name, setName] = useState('')
  const [taken, setTaken] = useState<string>()
  const create = async () => {
    try {
      await change(postOrganization, { body: { handle, display_name: tidyName(name) } })
    } catch (error) {
      if (error instanceof Problem && error.code === 'handle_taken') setTaken(handle)
      throw error
    }
    notify({ title: 'Organization created.' })
    setHandle('')
    setName('')
    onCreated()
    return undefined
  }
  return (
    <FormDialog
      label="Create an organization"
      icon={<Plus aria-hidden />}
      title="Create an organization"
      submitLabel="Create"
      canSubmit={isHandle(handle) && isShownName(tidyName(name))}
      submit={create}
    >
      <HandleField
        value={handle}
        onChange={setHandle}
        taken={taken}
        description="Lowercase letters, digits and hyphens. Used in addresses; it cannot be changed later."
      />
      <TextField
        label="Name"
        description="The name shown on pages."
        value={name}
        onChange={setName}
        maxLength={80}
        isRequired
        size="lg"
      />
    </FormDialog>
  )
}
