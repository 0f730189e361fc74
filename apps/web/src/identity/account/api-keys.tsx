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

export function ApiKeys({ person }: { person: Person }) {
  const { answer, reload } = useLoaded(fetchApiKeys)
  return (
    <Section
      id="api-keys"
      title="API keys"
      lead="For scripts and builds that nobody signs in. A key may do what you choose for it, and nothing else."
      action={<CreateApiKey owner={person.handle} onCreated={reload} />}
    >
      <Entries
        label="Your API keys"
        answer={answer}
        reload={reload}
        empty="No API keys yet. Create one for a script or a build server."
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
    notify({ title: 'Key revoked.' })
    onRevoked()
  }
  return (
    <Entry
      icon={<Terminal aria-hidden />}
      title={<bdi>{apiKey.name}</bdi>}
      badges={isOver && <Badge tone="warning">Expired</Badge>}
      facts={[
        <code key="prefix">{apiKey.prefix}…</code>,
        ...apiKey.scopes.map((scope) => (
          <span key={scope} className={styles.scope}>
            {scopeInWords(scope)} <code>{scope}</code>
          </span>
        )),
        apiKey.last_used_at === null ? (
          'Never used'
        ) : (
          <>
            Last used <When at={apiKey.last_used_at} />
          </>
        ),
        apiKey.expires_at === null ? (
          'Never expires'
        ) : (
          <>
            {isOver ? 'Expired ' : 'Expires '}
            <When at={apiKey.expires_at} />
          </>
        ),
      ]}
      actions={
        <ConfirmButton
          label="Revoke"
          fullLabel={`Revoke the key ${apiKey.name}`}
          question="Revoke this key?"
          confirmLabel="Revoke the key"
          confirm={revoke}
        >
          Whatever uses <bdi>{apiKey.name}</bdi> stops working at once. A revoked key does not come back.
        </ConfirmButton>
      }
    />
  )
}
