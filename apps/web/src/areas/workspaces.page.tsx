import type { Person } from '@patchbay/contracts/identity'
import { LogIn } from 'lucide-react'
import { useCallback } from 'react'
import { Unplugged } from '../brand/unplugged.tsx'
import { ButtonLink } from '../components/button-link.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { FailureNotice } from '../server/failure-notice.tsx'
import { useSession } from '../session/session-context.tsx'
import { useLoaded } from '../session/use-loaded.ts'
import { Page } from '../shell/page.tsx'
import { NewWorkspace } from './new-workspace.tsx'
import { OwnerWorkspaces } from './owner-workspaces.tsx'
import { SharedWorkspaces } from './shared-workspaces.tsx'
import { words } from './words.tsx'
import { fetchOwners } from './workspaces.api.ts'

export function WorkspacesPage() {
  const { session, refresh } = useSession()
  return (
    <Page title={words.title} lead={words.lead}>
      {session.state === 'loading' && <Skeleton label={words.checkingSignIn} lines={4} />}
      {session.state === 'failed' && <FailureNotice error={session.error} retry={() => void refresh()} />}
      {session.state === 'known' && session.person === null && (
        <EmptyState
          title={words.signedOut.title}
          picture={<Unplugged cable="panels" />}
          actions={
            <>
              <ButtonLink
                href="/sign-in?return_to=%2Fworkspaces"
                variant="primary"
                icon={<LogIn aria-hidden />}
              >
                {words.signedOut.signIn}
              </ButtonLink>
              <ButtonLink href="/#services">{words.signedOut.services}</ButtonLink>
            </>
          }
        >
          <p>{words.signedOut.text}</p>
        </EmptyState>
      )}
      {session.state === 'known' && session.person !== null && (
        <Workspaces key={session.person.handle} person={session.person} />
      )}
    </Page>
  )
}

function Workspaces({ person }: { person: Person }) {
  const load = useCallback((signal: AbortSignal) => fetchOwners(person.handle, signal), [person.handle])
  const { answer, reload } = useLoaded(load)
  if (answer.state === 'loading') return <Skeleton label={words.loading} lines={4} />
  if (answer.state === 'failed') return <FailureNotice error={answer.error} retry={reload} />
  return (
    <>
      <NewWorkspace owners={answer.value.filter(({ mayMake }) => mayMake).map(({ handle }) => handle)} />
      {answer.value.map(({ handle, mayMake }) => (
        <OwnerWorkspaces key={handle} owner={handle} isOwn={handle === person.handle} mayMake={mayMake} />
      ))}
      <SharedWorkspaces />
    </>
  )
}
