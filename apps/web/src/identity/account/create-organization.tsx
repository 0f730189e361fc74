import { Problem } from '@patchbay/contracts/core'
import { postOrganization } from '@patchbay/contracts/identity'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { TextField } from '../../components/text-field.tsx'
import { notify } from '../../components/toast.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useSession } from '../../session/session-context.tsx'
import { HandleField, isHandle } from '../sign-up/handle-field.tsx'
import { isShownName, tidyName } from '../sign-up/shown-name.ts'
import { words } from './words.tsx'

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
    notify({ title: words.organizations.create.done })
    setHandle('')
    setName('')
    onCreated()
    return undefined
  }
  return (
    <FormDialog
      label={words.organizations.create.label}
      icon={<Plus aria-hidden />}
      title={words.organizations.create.title}
      submitLabel={words.organizations.create.submit}
      canSubmit={isHandle(handle) && isShownName(tidyName(name))}
      submit={create}
    >
      <HandleField
        value={handle}
        onChange={setHandle}
        taken={taken}
        description={words.organizations.create.handleDescription}
      />
      <TextField
        label={words.organizations.create.name.label}
        description={words.organizations.create.name.description}
        value={name}
        onChange={setName}
        maxLength={80}
        isRequired
        size="lg"
      />
    </FormDialog>
  )
}
