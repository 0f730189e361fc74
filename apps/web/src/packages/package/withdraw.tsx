import {
  deletePackageVersion,
  deleteYank,
  type PublishedVersion,
  putYank,
  type PackagePage as Shown,
} from '@patchbay/contracts/registry'
import { useState } from 'react'
import { TextField } from '../../components/text-field.tsx'
import { notify } from '../../components/toast.tsx'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { useSession } from '../../session/session-context.tsx'

interface WithdrawProps {
  shown: Shown
  version: PublishedVersion
  onChanged: () => void
}

const LONGEST_REASON = 500

/** Takes a version back: from those who would choose it, or, while nobody has it, altogether. */
export function Withdraw(props: WithdrawProps) {
  return (
    <>
      {props.version.yanked === null ? <Yank {...props} /> : <Unyank {...props} />}
      {props.version.is_deletable && <Delete {...props} />}
    </>
  )
}

function paramsOf({ shown: { owner, identifier }, version: { version } }: WithdrawProps) {
  return { owner, identifier, version }
}

function Yank(props: WithdrawProps) {
  const { change } = useSession()
  const [reason, setReason] = useState('')
  const { version } = props.version
  return (
    <ConfirmButton
      label="Yank"
      fullLabel={`Yank version ${version}`}
      question={`Yank version ${version}?`}
      confirmLabel="Yank it"
      cancelLabel="Keep it offered"
      field={
        <TextField
          label="Reason (optional)"
          description="Visible to everyone."
          maxLength={LONGEST_REASON}
          value={reason}
          onChange={setReason}
        />
      }
      confirm={async () => {
        await change(putYank, {
          params: paramsOf(props),
          body: { reason: reason.trim().replaceAll(/\s+/g, ' ') },
        })
        notify({ title: `Version ${version} is yanked.` })
        props.onChanged()
      }}
    >
      Feeds, search and installations stop offering it within seconds. Whoever has it keeps it, and it can
      still be installed by its number.
    </ConfirmButton>
  )
}

function Unyank(props: WithdrawProps) {
  const { change } = useSession()
  const { version } = props.version
  return (
    <ConfirmButton
      label="Offer again"
      fullLabel={`Offer version ${version} again`}
      question={`Offer version ${version} again?`}
      confirmLabel="Offer it again"
      cancelLabel="Keep it yanked"
      confirmVariant="primary"
      confirm={async () => {
        await change(deleteYank, { params: paramsOf(props) })
        notify({ title: `Version ${version} is offered again.` })
        props.onChanged()
      }}
    >
      It comes back into feeds and search, and is chosen again where it fits best.
    </ConfirmButton>
  )
}

function Delete(props: WithdrawProps) {
  const { change } = useSession()
  const { version } = props.version
  return (
    <ConfirmButton
      label="Delete"
      fullLabel={`Delete version ${version}`}
      question={`Delete version ${version}?`}
      confirmLabel="Delete it"
      confirm={async () => {
        await change(deletePackageVersion, { params: paramsOf(props) })
        notify({ title: `Version ${version} is deleted.` })
        props.onChanged()
      }}
    >
      Nobody else has downloaded it yet. It cannot be brought back, and this version number can never be
      published again with other content.
    </ConfirmButton>
  )
}
