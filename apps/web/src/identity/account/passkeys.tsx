import { deletePasskey, type Passkey } from '@patchbay/contracts/identity'
import { KeyRound } from 'lucide-react'
import { Badge } from '../../components/badge.tsx'
import { notify } from '../../components/toast.tsx'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Entries, Entry } from '../../parts/entries.tsx'
import { Section } from '../../parts/section.tsx'
import { useSession } from '../../session/session-context.tsx'
import { useLoaded } from '../../session/use-loaded.ts'
import { When } from '../../time/when.tsx'
import { fetchPasskeys } from './account.api.ts'
import { AddPasskey } from './add-passkey.tsx'
import { words } from './words.tsx'

export function Passkeys() {
  const { answer, reload } = useLoaded(fetchPasskeys)
  return (
    <Section
      id="passkeys"
      title={words.passkeys.heading}
      lead={words.passkeys.lead}
      action={<AddPasskey onAdded={reload} />}
    >
      <Entries
        label={words.passkeys.list}
        answer={answer}
        reload={reload}
        empty={words.passkeys.none}
        keyOf={({ id }) => id}
      >
        {(passkey) => <PasskeyEntry passkey={passkey} onRemoved={reload} />}
      </Entries>
    </Section>
  )
}

function PasskeyEntry({ passkey, onRemoved }: { passkey: Passkey; onRemoved: () => void }) {
  const { change } = useSession()
  const remove = async () => {
    await change(deletePasskey, { params: { id: passkey.id } })
    notify({ title: words.passkeys.remove.done })
    onRemoved()
  }
  return (
    <Entry
      icon={<KeyRound aria-hidden />}
      title={<bdi>{passkey.label}</bdi>}
      badges={passkey.is_synced && <Badge>{words.passkeys.synced}</Badge>}
      facts={[
        words.passkeys.added(<When at={passkey.created_at} />),
        passkey.last_used_at === null
          ? words.passkeys.neverUsed
          : words.passkeys.lastUsed(<When at={passkey.last_used_at} />),
      ]}
      actions={
        <ConfirmButton
          label={words.passkeys.remove.label}
          fullLabel={words.passkeys.remove.fullLabel(passkey.label)}
          question={words.passkeys.remove.question}
          confirmLabel={words.passkeys.remove.confirm}
          confirm={remove}
        >
          {words.passkeys.remove.consequence(passkey.label)}
        </ConfirmButton>
      }
    />
  )
}
