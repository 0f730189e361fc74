import { deleteQuarantine, putQuarantine, type PackagePage as Shown } from '@patchbay/contracts/registry'
import { useState } from 'react'
import { Notice } from '../../components/notice.tsx'
import { TextField } from '../../components/text-field.tsx'
import { notify } from '../../components/toast.tsx'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { useSession } from '../../session/session-context.tsx'
import { When } from '../../time/when.tsx'

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
      title="This package is quarantined"
      tone="danger"
      {...(props.isAdministrator ? { action: <Release {...props} /> } : {})}
    >
      <bdi>{quarantine.reason}</bdi> An administrator took it out of feeds, search and downloads{' '}
      <When at={quarantine.at} />.
    </Notice>
  )
}

function TakeDown({ shown: { identifier }, onChanged }: QuarantineProps) {
  const { change } = useSession()
  const [reason, setReason] = useState('')
  return (
    <ConfirmButton
      label="Quarantine the package"
      question={`Quarantine ${identifier}?`}
      confirmLabel="Quarantine it"
      cancelLabel="Leave it"
      isDisabled={reason.trim() === ''}
      field={
        <TextField
          label="Reason"
          description="Visible to everyone."
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
        notify({ title: 'The package is quarantined.' })
        onChanged()
      }}
    >
      It leaves feeds, search and downloads within 5 seconds. Whoever has installed it keeps it. You can
      release it again.
    </ConfirmButton>
  )
}

function Release({ shown: { identifier }, onChanged }: QuarantineProps) {
  const { change } = useSession()
  return (
    <ConfirmButton
      label="Release it"
      question={`Release ${identifier}?`}
      confirmLabel="Release it"
      cancelLabel="Keep it quarantined"
      confirmVariant="primary"
      confirm={async () => {
        await change(deleteQuarantine, { params: { identifier } })
        notify({ title: 'The package is released.' })
        onChanged()
      }}
    >
      It comes back as its owner had it, with all its versions.
    </ConfirmButton>
  )
}
