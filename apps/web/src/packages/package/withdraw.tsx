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
import { words } from './words.tsx'

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
      label={words.yank.label}
      fullLabel={words.yank.labelOf(version)}
      question={words.yank.question(version)}
      confirmLabel={words.yank.confirm}
      cancelLabel={words.yank.cancel}
      field={
        <TextField
          label={words.yank.reason}
          description={words.yank.reasonHint}
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
        notify({ title: words.yank.done(version) })
        props.onChanged()
      }}
    >
      {words.yank.text}
    </ConfirmButton>
  )
}

function Unyank(props: WithdrawProps) {
  const { change } = useSession()
  const { version } = props.version
  return (
    <ConfirmButton
      label={words.unyank.label}
      fullLabel={words.unyank.labelOf(version)}
      question={words.unyank.question(version)}
      confirmLabel={words.unyank.confirm}
      cancelLabel={words.unyank.cancel}
      confirmVariant="primary"
      confirm={async () => {
        await change(deleteYank, { params: paramsOf(props) })
        notify({ title: words.unyank.done(version) })
        props.onChanged()
      }}
    >
      {words.unyank.text}
    </ConfirmButton>
  )
}

function Delete(props: WithdrawProps) {
  const { change } = useSession()
  const { version } = props.version
  return (
    <ConfirmButton
      label={words.delete.label}
      fullLabel={words.delete.labelOf(version)}
      question={words.delete.question(version)}
      confirmLabel={words.delete.confirm}
      confirm={async () => {
        await change(deletePackageVersion, { params: paramsOf(props) })
        notify({ title: words.delete.done(version) })
        props.onChanged()
      }}
    >
      {words.delete.text}
    </ConfirmButton>
  )
}
