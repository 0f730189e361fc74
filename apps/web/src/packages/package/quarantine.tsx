import { deleteQuarantine, putQuarantine, type PackagePage as Shown } from '@patchbay/contracts/registry'
import { useState } from 'react'
import { Notice } from '../../components/notice.tsx'
import { TextField } from '../../components/text-field.tsx'
import { notify } from '../../components/toast.tsx'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { useSession } from '../../session/session-context.tsx'
import { When } from '../../time/when.tsx'
import { words } from './words.tsx'

interface QuarantineProps {
  shown: Shown
  isAdministrator: boolean
  onChanged: () => void
}

const LONGEST_REASON = 500

/** That a package was taken down, and how an administrator takes it down or releases it. */
export function Quarantine(props: QuarantineProps) {
  const { quarantine } = props.shown
  if (quarantine === null) return props.isAdministrator && <TakeDown {...props} />
  return (
    <Notice
      title={words.quarantined.title}
      tone="danger"
      {...(props.isAdministrator ? { action: <Release {...props} /> } : {})}
    >
      <bdi>{quarantine.reason}</bdi> {words.quarantined.text(<When at={quarantine.at} />)}
    </Notice>
  )
}

function TakeDown({ shown: { identifier }, onChanged }: QuarantineProps) {
  const { change } = useSession()
  const [reason, setReason] = useState('')
  return (
    <ConfirmButton
      label={words.takeDown.label}
      question={words.takeDown.question(identifier)}
      confirmLabel={words.takeDown.confirm}
      cancelLabel={words.takeDown.cancel}
      isDisabled={reason.trim() === ''}
      field={
        <TextField
          label={words.takeDown.reason}
          description={words.takeDown.reasonHint}
          isRequired
          maxLength={LONGEST_REASON}
          value={reason}
          onChange={setReason}
        />
      }
      confirm={async () => {
        await change(putQuarantine, {
          params: { identifier },
          body: { reason: reason.trim().replaceAll(/\s+/g, ' ') },
        })
        notify({ title: words.takeDown.done })
        onChanged()
      }}
    >
      {words.takeDown.text}
    </ConfirmButton>
  )
}

function Release({ shown: { identifier }, onChanged }: QuarantineProps) {
  const { change } = useSession()
  return (
    <ConfirmButton
      label={words.release.label}
      question={words.release.question(identifier)}
      confirmLabel={words.release.confirm}
      cancelLabel={words.release.cancel}
      confirmVariant="primary"
      confirm={async () => {
        await change(deleteQuarantine, { params: { identifier } })
        notify({ title: words.release.done })
        onChanged()
      }}
    >
      {words.release.text}
    </ConfirmButton>
  )
}
