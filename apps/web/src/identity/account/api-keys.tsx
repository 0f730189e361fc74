import { type ApiKey, deleteApiKey, type Person } from '@patchbay/contracts/identity'
import { Terminal } from 'lucide-react'
import { Badge } from '../../components/badge.tsx'
import { notify } from '../../components/toast.tsx'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Entries, Entry } from '../../parts/entries.tsx'
import { Section } from '../../parts/section.tsx'
import { useSession } from '../../session/session-context.tsx'
import { useLoaded } from '../../session/use-loaded.ts'
import { useNow } from '../../time/use-now.ts'
import { When } from '../../time/when.tsx'
import { fetchApiKeys } from './account.api.ts'
import styles from './api-keys.module.css'
import { CreateApiKey } from './create-api-key.tsx'
import { scopeInWords } from './scope-words.ts'
import { words } from './words.tsx'

export function ApiKeys({ person }: { person: Person }) {
  const { answer, reload } = useLoaded(fetchApiKeys)
  return (
    <Section
      id="api-keys"
      title={words.apiKeys.heading}
      lead={words.apiKeys.lead}
      action={<CreateApiKey owner={person.handle} onCreated={reload} />}
    >
      <Entries
        label={words.apiKeys.list}
        answer={answer}
        reload={reload}
        empty={words.apiKeys.none}
        keyOf={({ id }) => id}
      >
        {(key) => <ApiKeyEntry apiKey={key} onRevoked={reload} />}
      </Entries>
    </Section>
  )
}

function ApiKeyEntry({ apiKey, onRevoked }: { apiKey: ApiKey; onRevoked: () => void }) {
  const { change } = useSession()
  const now = useNow()
  const isOver = apiKey.expires_at !== null && new Date(apiKey.expires_at) <= now
  const revoke = async () => {
    await change(deleteApiKey, { params: { id: apiKey.id } })
    notify({ title: words.apiKeys.revoke.done })
    onRevoked()
  }
  return (
    <Entry
      icon={<Terminal aria-hidden />}
      title={<bdi>{apiKey.name}</bdi>}
      badges={isOver && <Badge tone="warning">{words.apiKeys.over}</Badge>}
      facts={[
        <code key="prefix">
          {apiKey.prefix}
          {'…'}
        </code>,
        ...apiKey.scopes.map((scope) => (
          <span key={scope} className={styles.scope}>
            {scopeInWords(scope)} <code>{scope}</code>
          </span>
        )),
        apiKey.last_used_at === null
          ? words.apiKeys.neverUsed
          : words.apiKeys.lastUsed(<When at={apiKey.last_used_at} />),
        apiKey.expires_at === null
          ? words.apiKeys.neverExpires
          : (isOver ? words.apiKeys.expired : words.apiKeys.expires)(<When at={apiKey.expires_at} />),
      ]}
      actions={
        <ConfirmButton
          label={words.apiKeys.revoke.label}
          fullLabel={words.apiKeys.revoke.fullLabel(apiKey.name)}
          question={words.apiKeys.revoke.question}
          confirmLabel={words.apiKeys.revoke.confirm}
          confirm={revoke}
        >
          {words.apiKeys.revoke.consequence(apiKey.name)}
        </ConfirmButton>
      }
    />
  )
}
