import { postApiKey, scope } from '@patchbay/contracts/identity'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { CopyField } from '../../components/copy-field.tsx'
import { Select } from '../../components/select.tsx'
import { TextField } from '../../components/text-field.tsx'
import { textRule } from '../../server/text-rule.ts'
import { useSession } from '../../session/session-context.tsx'
import { FormDialog } from '../form-dialog.tsx'
import { ShownOnce } from '../shown-once.tsx'
import { isShownName, tidyName } from '../sign-up/shown-name.ts'
import { type ScopeDraft, ScopeFields } from './scope-fields.tsx'

const LONGEST = 60
const isScope = textRule(scope)
const NEVER = 'never'
const EXPIRIES = [
  { id: '30', label: '30 days' },
  { id: '90', label: '90 days' },
  { id: '365', label: '1 year' },
  { id: NEVER, label: 'Never' },
] as const

interface CreateApiKeyProps {
  owner: string
  onCreated: () => void
}

export function CreateApiKey({ owner, onCreated }: CreateApiKeyProps) {
  const { change } = useSession()
  const fresh = (): ScopeDraft[] => [{ id: 1, area: 'packages', target: `${owner}/*` }]
  const [name, setName] = useState('')
  const [drafts, setDrafts] = useState(fresh)
  const [expiry, setExpiry] = useState<string>('90')
  const scopes = drafts.map(({ area, target }) => `${area}:${target.trim()}`)
  const create = async () => {
    const { body } = await change(postApiKey, {
      body: {
        name: tidyName(name),
        scopes: [...new Set(scopes)],
        ...(expiry === NEVER ? {} : { expires_in_days: Number(expiry) }),
      },
    })
    setName('')
    setDrafts(fresh)
    onCreated()
    return (
      <ShownOnce
        label="The key"
        value={body.key}
        warning="Copy the key now. It is not shown again."
        uses={<KeyUses apiKey={body.key} />}
      >
        Treat it like a password: anyone who has it can do what you selected, in your name.
      </ShownOnce>
    )
  }
  return (
    <FormDialog
      label="Create a key"
      icon={<Plus aria-hidden />}
      title="Create an API key"
      submitLabel="Create key"
      canSubmit={isShownName(tidyName(name)) && scopes.every(isScope)}
      submit={create}
    >
      <TextField
        label="Name"
        description="What the key is for."
        placeholder="Nightly build"
        value={name}
        onChange={setName}
        maxLength={LONGEST}
        isRequired
      />
      <ScopeFields owner={owner} drafts={drafts} onChange={setDrafts} />
      <Select
        label="Expires after"
        options={EXPIRIES}
        value={expiry}
        onChange={(chosen) => setExpiry(String(chosen))}
      />
    </FormDialog>
  )
}

/** How a new key is used, as lines to copy: afterwards nobody can put them together here. */
function KeyUses({ apiKey }: { apiKey: string }) {
  return (
    <>
      <CopyField
        label="For the patchbay command, in a shell or a build"
        value={`export PATCHBAY_SERVER_URL=${location.origin} PATCHBAY_API_KEY=${apiKey}`}
      />
      <CopyField label="For other programs, as a header of every request" value={`X-Api-Key: ${apiKey}`} />
    </>
  )
}
