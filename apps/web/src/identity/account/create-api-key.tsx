import { postApiKey, scope } from '@patchbay/contracts/identity'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { CopyField } from '../../components/copy-field.tsx'
import { Select } from '../../components/select.tsx'
import { TextField } from '../../components/text-field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { textRule } from '../../server/text-rule.ts'
import { useSession } from '../../session/session-context.tsx'
import { ShownOnce } from '../shown-once.tsx'
import { isShownName, tidyName } from '../sign-up/shown-name.ts'
import { type ScopeDraft, ScopeFields } from './scope-fields.tsx'
import { words } from './words.tsx'

const LONGEST = 60
const isScope = textRule(scope)
const NEVER = 'never'
const EXPIRIES = [
  { id: '30', label: words.apiKeys.create.expiry.days30 },
  { id: '90', label: words.apiKeys.create.expiry.days90 },
  { id: '365', label: words.apiKeys.create.expiry.days365 },
  { id: NEVER, label: words.apiKeys.create.expiry.never },
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
        label={words.apiKeys.created.label}
        value={body.key}
        warning={words.apiKeys.created.warning}
        uses={<KeyUses apiKey={body.key} />}
      >
        {words.apiKeys.created.advice}
      </ShownOnce>
    )
  }
  return (
    <FormDialog
      label={words.apiKeys.create.label}
      icon={<Plus aria-hidden />}
      title={words.apiKeys.create.title}
      submitLabel={words.apiKeys.create.submit}
      canSubmit={isShownName(tidyName(name)) && scopes.every(isScope)}
      submit={create}
    >
      <TextField
        label={words.apiKeys.create.name.label}
        description={words.apiKeys.create.name.description}
        placeholder={words.apiKeys.create.name.placeholder}
        value={name}
        onChange={setName}
        maxLength={LONGEST}
        isRequired
      />
      <ScopeFields owner={owner} drafts={drafts} onChange={setDrafts} />
      <Select
        label={words.apiKeys.create.expiry.label}
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
        label={words.apiKeys.created.forCommand}
        value={`export PATCHBAY_SERVER_URL=${location.origin} PATCHBAY_API_KEY=${apiKey}`}
      />
      <CopyField label={words.apiKeys.created.forPrograms} value={`X-Api-Key: ${apiKey}`} />
    </>
  )
}
