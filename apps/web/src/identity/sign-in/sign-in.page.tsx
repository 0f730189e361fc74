import { useNavigate, useSearchParams } from 'react-router'
import { ButtonLink } from '../../components/button-link.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useSession } from '../../session/session-context.tsx'
import { safeReturnTo } from '../return-to.ts'
import { Sheet } from '../sheet.tsx'
import { SignedInAs } from '../signed-in-as.tsx'
import { useFreshSession } from '../use-fresh-session.ts'
import { SignInPanel } from './sign-in-panel.tsx'
import { SignInProblem } from './sign-in-problem.tsx'

export function SignInPage() {
  const { session, refresh } = useSession()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const returnTo = safeReturnTo(query.get('return_to'))
  useFreshSession()
  const problem = query.get('problem')

  if (session.state === 'known' && session.person !== null) {
    return (
      <Sheet title="You are signed in" plate="plugged">
        <SignedInAs person={session.person} />
        <ButtonLink href={returnTo} variant="primary" size="lg">
          {returnTo === '/account' ? 'Go to your account' : 'Continue'}
        </ButtonLink>
      </Sheet>
    )
  }
  return (
    <Sheet
      title="Sign in"
      plate="open"
      lead="Patchbay has no passwords. Use your organization’s identity provider or a passkey."
    >
      {problem !== null && <SignInProblem code={problem} />}
      {session.state === 'loading' && <Skeleton label="Checking your sign-in" />}
      {session.state === 'failed' && <FailureNotice error={session.error} retry={() => void refresh()} />}
      {session.state === 'known' && (
        <SignInPanel returnTo={returnTo} onSignedIn={() => void navigate(returnTo, { replace: true })} />
      )}
    </Sheet>
  )
}
