import { Problem } from '@patchbay/contracts/core'
import { useCallback, useState } from 'react'
import { Skeleton } from '../../components/skeleton.tsx'
import { readSecret } from '../../secrets/secret-in-address.ts'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useSession } from '../../session/session-context.tsx'
import { useLoaded } from '../../session/use-loaded.ts'
import { Sheet } from '../sheet.tsx'
import { BecomeAdministrator } from './become-administrator.tsx'
import { checkInvitation, type Invitation } from './invitation.api.ts'
import { InvitedAccount } from './invited-account.tsx'
import { words } from './words.tsx'

interface InvitedProps extends Invitation {
  readonly invitation: string
}

export function WelcomePage() {
  const [invitation] = useState(() => readSecret('/welcome'))
  if (invitation === undefined) {
    return <Sheet title={words.noInvitation.title} plate="pulled" lead={words.noInvitation.lead} />
  }
  return <Welcome invitation={invitation} />
}

function Welcome({ invitation }: { invitation: string }) {
  const check = useCallback((signal: AbortSignal) => checkInvitation(invitation, signal), [invitation])
  const { answer, reload } = useLoaded(check)
  if (answer.state === 'failed' && answer.error instanceof Problem && isRefused(answer.error)) {
    return <Sheet title={words.refused.title} plate="pulled" lead={words.refused.lead} />
  }
  return (
    <Sheet
      title={words.page.title}
      plate="open"
      lead={answer.state === 'loaded' ? promiseOf(answer.value.makes_admin) : undefined}
    >
      {answer.state === 'loading' && <Skeleton label={words.page.checkingInvitation} lines={4} />}
      {answer.state === 'failed' && <FailureNotice error={answer.error} retry={reload} />}
      {answer.state === 'loaded' && <Invited invitation={invitation} {...answer.value} />}
    </Sheet>
  )
}

function Invited({ invitation, makes_admin: makesAdmin, expires_at: expiresAt }: InvitedProps) {
  const { session } = useSession()
  const [wantsOther, setWantsOther] = useState(false)
  if (session.state === 'loading') return <Skeleton label={words.page.checkingPerson} lines={4} />
  const person = session.state === 'known' ? session.person : null
  if (makesAdmin && person !== null && !wantsOther)
    return (
      <BecomeAdministrator invitation={invitation} person={person} makeAnother={() => setWantsOther(true)} />
    )
  return <InvitedAccount invitation={invitation} expiresAt={expiresAt} />
}

function isRefused({ code }: Problem): boolean {
  return code === 'invitation_invalid' || code === 'invalid_request'
}

function promiseOf(makesAdmin: boolean): string {
  return makesAdmin ? words.page.administratorLead : words.page.accountLead
}
