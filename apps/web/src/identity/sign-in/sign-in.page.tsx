import { isProblemCode, PROBLEMS, Problem, type ProblemCode } from '@patchbay/contracts/core'
import { useNavigate, useSearchParams } from 'react-router'
import { ButtonLink } from '../../components/button-link.tsx'
import { Notice } from '../../components/notice.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { adviseOn, hasAdvice } from '../../errors/advice.ts'
import type { FailureText } from '../../errors/failure.ts'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useSession } from '../../session/session-context.tsx'
import { safeReturnTo } from '../return-to.ts'
import { Sheet } from '../sheet.tsx'
import { SignedInAs } from '../signed-in-as.tsx'
import { useFreshSession } from '../use-fresh-session.ts'
import { SignInPanel } from './sign-in-panel.tsx'
import { words } from './words.tsx'

/** Where signing in has more to say than other pages. */
const SENTENCES: Partial<Record<ProblemCode, FailureText>> = {
  invalid_request: words.problems.incomplete,
  internal_error: { title: words.problems.ourFault, detail: words.problems.tryLater },
  database_unavailable: { title: words.problems.noDatabase, detail: words.problems.tryLater },
}

/** Why a sign-in through an issuer came to nothing. The code stands in the address, so anybody may have written it. */
function SignInProblem({ code }: { code: string }) {
  const { title, detail } = sentenceFor(code)
  return (
    <Notice title={title} tone="warning">
      {detail}
    </Notice>
  )
}

function sentenceFor(code: string): FailureText {
  if (!isProblemCode(code)) return words.problems.unknown
  const sentence = SENTENCES[code]
  if (sentence !== undefined) return sentence
  return hasAdvice(code)
    ? adviseOn(new Problem(code))
    : { title: PROBLEMS[code].title, detail: words.problems.tryLater }
}

export function SignInPage() {
  const { session, refresh } = useSession()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const returnTo = safeReturnTo(query.get('return_to'))
  useFreshSession()
  const problem = query.get('problem')

  if (session.state === 'known' && session.person !== null) {
    return (
      <Sheet title={words.signedIn.title} plate="plugged">
        <SignedInAs person={session.person} />
        <ButtonLink href={returnTo} variant="primary" size="lg">
          {returnTo === '/account' ? words.signedIn.toAccount : words.signedIn.goOn}
        </ButtonLink>
      </Sheet>
    )
  }
  return (
    <Sheet title={words.page.title} plate="open" lead={words.page.lead}>
      {problem !== null && <SignInProblem code={problem} />}
      {session.state === 'loading' && <Skeleton label={words.page.checking} />}
      {session.state === 'failed' && <FailureNotice error={session.error} retry={() => void refresh()} />}
      {session.state === 'known' && (
        <SignInPanel returnTo={returnTo} onSignedIn={() => void navigate(returnTo, { replace: true })} />
      )}
    </Sheet>
  )
}
