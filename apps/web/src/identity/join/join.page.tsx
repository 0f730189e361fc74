import { Problem } from '@patchbay/contracts/core'
import type { Person } from '@patchbay/contracts/identity'
import { postInvitationJoin } from '@patchbay/contracts/panels'
import { useCallback, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { forgetSecret, readSecret } from '../../secrets/secret-in-address.ts'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useAction } from '../../server/use-action.ts'
import { useSession } from '../../session/session-context.tsx'
import { useLoaded } from '../../session/use-loaded.ts'
import { When } from '../../time/when.tsx'
import { Sheet } from '../sheet.tsx'
import { SignInPanel } from '../sign-in/sign-in-panel.tsx'
import { SignedInAs } from '../signed-in-as.tsx'
import { useFreshSession } from '../use-fresh-session.ts'
import { lookAtInvitation } from './join.api.ts'
import { words } from './words.tsx'

/** Behind the link of an invitation to one workspace. */
export function JoinPage() {
  const [invitation] = useState(() => readSecret('/join'))
  if (invitation === undefined)
    return <Sheet title={words.none.title} plate="pulled" lead={words.none.lead} />
  return <Invitation invitation={invitation} />
}

function Invitation({ invitation }: { invitation: string }) {
  const look = useCallback((signal: AbortSignal) => lookAtInvitation(invitation, signal), [invitation])
  const { answer, reload } = useLoaded(look)
  useFreshSession()
  if (answer.state === 'failed' && answer.error instanceof Problem && isRefused(answer.error))
    return <Sheet title={words.refused.title} plate="pulled" lead={words.refused.lead} />
  if (answer.state !== 'loaded')
    return (
      <Sheet title={words.title} plate="open">
        {answer.state === 'loading' && <Skeleton label={words.checking} lines={4} />}
        {answer.state === 'failed' && <FailureNotice error={answer.error} retry={reload} />}
      </Sheet>
    )
  const { owner, repo, role, invitedBy, expiresAt } = answer.value
  return (
    <Sheet
      title={words.titleOf(owner, repo)}
      plate="open"
      lead={words.leads[role](<strong>{invitedBy}</strong>)}
    >
      <p>
        {words.may[role]} {words.expires(<When at={expiresAt} />)}
      </p>
      <WhoJoins invitation={invitation} reload={reload} />
    </Sheet>
  )
}

function WhoJoins(props: { invitation: string; reload: () => void }) {
  const { session, refresh } = useSession()
  if (session.state === 'loading') return <Skeleton label={words.checkingPerson} lines={3} />
  if (session.state === 'failed') return <FailureNotice error={session.error} retry={() => void refresh()} />
  if (session.person !== null) return <Join {...props} person={session.person} />
  return (
    <>
      <p>{words.signIn}</p>
      <SignInPanel returnTo="/join" byInvitation={words.byInvitation} />
    </>
  )
}

interface JoinProps {
  invitation: string
  person: Person
  /** Somebody may have taken the last use meanwhile. */
  reload: () => void
}

function Join({ invitation, person, reload }: JoinProps) {
  const { change } = useSession()
  const joining = useAction(async () => {
    try {
      const { body } = await change(postInvitationJoin, { body: { invitation } })
      forgetSecret('/join')
      location.assign(`/workspaces/${body.owner}/${body.repo}`)
    } catch (error) {
      if (error instanceof Problem && isRefused(error)) reload()
      throw error
    }
  })
  return (
    <>
      <SignedInAs person={person} />
      <FailureNotice error={joining.error} />
      <Button variant="primary" size="lg" isPending={joining.isPending} onPress={() => joining.run()}>
        {words.join}
      </Button>
    </>
  )
}

function isRefused({ code }: Problem): boolean {
  return code === 'invitation_invalid' || code === 'invalid_request'
}
