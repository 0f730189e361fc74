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

export function Passkeys() {
  const { answer, reload } = useLoaded(fetchPasskeys)
  return (
    <Section
      id="passkeys"
      title="Passkeys"
      lead="Each signs you in from a device or a password manager. A second one gets you in when the first is lost."
      action={<AddPasskey onAdded={reload} />}
    >
      <Entries
        label="Your passkeys"
        answer={answer}
        reload={reload}
        empty="No passkey yet. You sign in through an identity provider."
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
    notify({ title: 'Passkey removed.' })
    onRemoved()
  }
  return (
    <Entry
      icon={<KeyRound aria-hidden />}
      title={<bdi>{passkey.label}</bdi>}
      badges={passkey.is_synced && <Badge>Synced</Badge>}
      facts={[
        <>
          Added <When at={passkey.created_at} />
        </>,
        passkey.last_used_at === null ? (
          'Never used'
        ) : (
          <>
            Last used <When at={passkey.last_used_at} />
          </>
        ),
      ]}
      actions={
        <ConfirmButton
          label="Remove"
          fullLabel={`Remove the passkey ${passkey.label}`}
          question="Remove this passkey?"
          confirmLabel="Remove the passkey"
          confirm={remove}
        >
          Nobody can sign in with <bdi>{passkey.label}</bdi> anymore. Your device may still offer it; delete
          it there as well.
        </ConfirmButton>
      }
    />
  )
}
