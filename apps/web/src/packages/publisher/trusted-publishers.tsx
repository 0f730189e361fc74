import { type CiService, deleteTrustedPublisher, type TrustedPublisher } from '@patchbay/contracts/identity'
import { Workflow } from 'lucide-react'
import { useCallback } from 'react'
import { notify } from '../../components/toast.tsx'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Entries, Entry } from '../../parts/entries.tsx'
import { Section } from '../../parts/section.tsx'
import { useSession } from '../../session/session-context.tsx'
import { useLoaded } from '../../session/use-loaded.ts'
import { When } from '../../time/when.tsx'
import { fetchTrustedPublishers } from '../packages.api.ts'
import { AddTrustedPublisher } from './add-trusted-publisher.tsx'
import { words } from './words.tsx'

/** Which CI jobs may publish for an owner. Nothing where the server trusts no CI service. */
export function TrustedPublishers({ owner }: { owner: string }) {
  const load = useCallback((signal: AbortSignal) => fetchTrustedPublishers(owner, signal), [owner])
  const { answer, reload } = useLoaded(load)
  const services = answer.state === 'loaded' ? answer.value.services : []
  if (answer.state === 'loading' || (answer.state === 'loaded' && services.length === 0)) return null
  return (
    <Section
      id="trusted-publishers"
      title={words.trusted.title}
      lead={words.trusted.lead}
      action={
        services.length > 0 && <AddTrustedPublisher owner={owner} services={services} onAdded={reload} />
      }
    >
      <Entries
        label={words.trusted.label(owner)}
        answer={answer}
        reload={reload}
        empty={words.trusted.none}
        keyOf={({ id }) => id}
      >
        {(trusted) => <TrustedEntry trusted={trusted} services={services} onRemoved={reload} />}
      </Entries>
    </Section>
  )
}

interface TrustedEntryProps {
  trusted: TrustedPublisher
  services: readonly CiService[]
  onRemoved: () => void
}

function TrustedEntry({ trusted, services, onRemoved }: TrustedEntryProps) {
  const { change } = useSession()
  const { id, repository, identifier, workflow, environment } = trusted
  const [, kind = '', name = ''] = /^refs\/(heads|tags)\/(.*)$/.exec(trusted.ref) ?? []
  const remove = async () => {
    await change(deleteTrustedPublisher, { params: { id } })
    notify({ title: words.trusted.remove.done })
    onRemoved()
  }
  return (
    <Entry
      icon={<Workflow aria-hidden />}
      title={<bdi>{repository}</bdi>}
      facts={[
        services.find((service) => service.id === trusted.service)?.name ?? trusted.service,
        words.trusted.publishes(<code>{identifier}</code>),
        words.trusted.ref(words.trusted.kinds[kind === 'tags' ? 'tags' : 'heads'], <code>{name}</code>),
        ...(workflow === null ? [] : [words.trusted.workflow(<code>{workflow}</code>)]),
        ...(environment === null ? [] : [words.trusted.environment(environment)]),
        words.trusted.addedBy(trusted.added_by),
        trusted.last_used_at === null
          ? words.trusted.neverUsed
          : words.trusted.lastUsed(<When at={trusted.last_used_at} />),
      ]}
      actions={
        <ConfirmButton
          label={words.trusted.remove.label}
          fullLabel={words.trusted.remove.fullLabel(repository, identifier)}
          question={words.trusted.remove.question}
          confirmLabel={words.trusted.remove.confirm}
          confirm={remove}
        >
          {words.trusted.remove.consequence(repository, identifier)}
        </ConfirmButton>
      }
    />
  )
}
