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
import { fetchOwners } from './workspaces.api.ts'

const LEAD =
  'A workspace is a browser tab full of panels that you, your scripts and your agents work in together.'

export function WorkspacesPage() {
  const { session, refresh } = useSession()
  return (
    <Page title="Workspaces" lead={LEAD}>
      {session.state === 'loading' && <Skeleton label="Checking your sign-in" lines={4} />}
      {session.state === 'failed' && <FailureNotice error={session.error} retry={() => void refresh()} />}
      {session.state === 'known' && session.person === null && (
        <EmptyState
          title="Sign in to see your workspaces"
          picture={<Unplugged cable="panels" />}
          actions={
            <>
              <ButtonLink
                href="/sign-in?return_to=%2Fworkspaces"
                variant="primary"
                icon={<LogIn aria-hidden />}
              >
                Sign in to your workspaces
              </ButtonLink>
              <ButtonLink href="/#services">What each service does</ButtonLink>
            </>
          }
        >
          <p>Workspaces belong to a person or an organization, and only their members see them.</p>
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
  if (answer.state === 'loading') return <Skeleton label="Loading your workspaces" lines={4} />
  if (answer.state === 'failed') return <FailureNotice error={answer.error} retry={reload} />
  return (
    <>
      <NewWorkspace owners={answer.value.filter(({ mayMake }) => mayMake).map(({ handle }) => handle)} />
      {answer.value.map(({ handle }) => (
        <OwnerWorkspaces key={handle} owner={handle} isOwn={handle === person.handle} />
      ))}
    </>
  )
}
