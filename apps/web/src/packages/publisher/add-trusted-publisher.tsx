import {
  type CiService,
  ciEnvironment,
  ciRepository,
  gitRef,
  postTrustedPublisher,
  workflowFile,
} from '@patchbay/contracts/identity'
import { packageIdentifier } from '@patchbay/contracts/registry'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Select } from '../../components/select.tsx'
import { TextField } from '../../components/text-field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { textRule } from '../../server/text-rule.ts'
import { useSession } from '../../session/session-context.tsx'
import { words } from './words.tsx'

const says = words.trusted.add
const isIdentifier = textRule(packageIdentifier)
const isRepository = textRule(ciRepository)
const isRef = textRule(gitRef)
const isWorkflow = textRule(workflowFile)
const isEnvironment = textRule(ciEnvironment)

const KINDS = [
  { id: 'heads', label: says.kinds.heads },
  { id: 'tags', label: says.kinds.tags },
] as const
type Kind = (typeof KINDS)[number]['id']

const EMPTY = { identifier: '', repository: '', name: 'main', workflow: '', environment: '' }
type Draft = typeof EMPTY

interface AddTrustedPublisherProps {
  owner: string
  services: readonly CiService[]
  onAdded: () => void
}

export function AddTrustedPublisher({ owner, services, onAdded }: AddTrustedPublisherProps) {
  const { change } = useSession()
  const [draft, setDraft] = useState(EMPTY)
  const [service, setService] = useState(services[0]?.id ?? '')
  const [kind, setKind] = useState<Kind>('heads')
  const set = (field: keyof Draft) => (value: string) => setDraft((all) => ({ ...all, [field]: value }))
  const wanted = {
    owner,
    service,
    identifier: draft.identifier.trim(),
    repository: draft.repository.trim(),
    ref: `refs/${kind}/${draft.name.trim()}`,
    ...(draft.workflow.trim() === '' ? {} : { workflow: draft.workflow.trim() }),
    ...(draft.environment.trim() === '' ? {} : { environment: draft.environment.trim() }),
  }
  const add = async () => {
    await change(postTrustedPublisher, { body: wanted })
    setDraft(EMPTY)
    onAdded()
    return undefined
  }
  return (
    <FormDialog
      label={says.label}
      icon={<Plus aria-hidden />}
      title={says.title}
      submitLabel={says.submit}
      canSubmit={
        isIdentifier(wanted.identifier) &&
        isRepository(wanted.repository) &&
        isRef(wanted.ref) &&
        isWorkflow(wanted.workflow ?? 'any.yml') &&
        isEnvironment(wanted.environment ?? 'any')
      }
      submit={add}
    >
      <TextField
        label={says.identifier}
        description={says.identifierHint}
        placeholder={says.identifierExample}
        value={draft.identifier}
        onChange={set('identifier')}
        isMono
        isRequired
      />
      {services.length > 1 && (
        <Select
          label={says.service}
          options={services.map(({ id, name }) => ({ id, label: name }))}
          value={service}
          onChange={(chosen) => setService(String(chosen))}
        />
      )}
      <TextField
        label={says.repository}
        placeholder={says.repositoryExample}
        value={draft.repository}
        onChange={set('repository')}
        isMono
        isRequired
      />
      <Select
        label={says.kind}
        options={KINDS}
        value={kind}
        onChange={(chosen) => {
          setKind(chosen === 'tags' ? 'tags' : 'heads')
          set('name')(chosen === 'tags' ? 'v*' : 'main')
        }}
      />
      <TextField
        label={says.name[kind]}
        description={says.nameHint[kind]}
        value={draft.name}
        onChange={set('name')}
        isMono
        isRequired
      />
      <TextField
        label={says.workflow}
        description={says.workflowHint}
        placeholder={says.workflowExample}
        value={draft.workflow}
        onChange={set('workflow')}
        isMono
      />
      <TextField
        label={says.environment}
        description={says.environmentHint}
        value={draft.environment}
        onChange={set('environment')}
      />
    </FormDialog>
  )
}
