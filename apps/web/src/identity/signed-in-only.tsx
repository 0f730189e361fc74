import type { Person } from '@patchbay/contracts/identity'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { Skeleton } from '../components/skeleton.tsx'
import { FailureNotice } from '../server/failure-notice.tsx'
import { useSession } from '../session/session-context.tsx'
import { Page } from '../shell/page.tsx'
import { Sheet } from './sheet.tsx'
import { SignInPanel } from './sign-in/sign-in-panel.tsx'
import { useFreshSession } from './use-fresh-session.ts'
import { useRefocus } from './use-refocus.ts'
import { words } from './words.ts'

interface SignedInOnlyProps {
  /** The page's title, also while nobody is signed in. */
  title: string
  lead: string
  children: (person: Person) => ReactNode
}

/** A page of one person: whoever is not signed in does so here, and then sees it. */
export function SignedInOnly({ title, lead, children }: SignedInOnlyProps) {
  const { session, refresh } = useSession()
  const { pathname } = useLocation()
  useFreshSession()
  useRefocus(session.state === 'known' ? (session.person?.handle ?? 'nobody') : undefined)
  if (session.state === 'known' && session.person !== null) return children(session.person)
  if (session.state === 'known') {
    return (
      <Sheet title={title} plate="open" lead={lead}>
        <SignInPanel returnTo={pathname} />
      </Sheet>
    )
  }
  return (
    <Page title={title}>
      {session.state === 'loading' ? (
        <Skeleton label={words.checkingSignIn} lines={4} />
      ) : (
        <FailureNotice error={session.error} retry={() => void refresh()} />
      )}
    </Page>
  )
}
