import { useNavigate, useSearchParams } from 'react-router'
import { Link } from '../../components/link.tsx'
import { Notice } from '../../components/notice.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useLoaded } from '../../session/use-loaded.ts'
import { safeReturnTo } from '../return-to.ts'
import { Sheet } from '../sheet.tsx'
import { fetchSignInOptions } from '../sign-in/sign-in.api.ts'
import { PasskeySignUp } from './passkey-sign-up.tsx'
import { VouchedAccount } from './vouched-account.tsx'
import { words } from './words.tsx'

/** After an issuer has vouched for somebody new, or for somebody who wants to begin with a passkey. */
export function SignUpPage() {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const goOn = (to: string) => void navigate(safeReturnTo(to), { replace: true })
  if (query.get('with') === 'passkey') {
    return <NewPasskeyAccount returnTo={safeReturnTo(query.get('return_to'))} goOn={goOn} />
  }
  return <VouchedAccount goOn={goOn} />
}

interface NewPasskeyAccountProps {
  returnTo: string
  goOn: (to: string) => void
}

function NewPasskeyAccount({ returnTo, goOn }: NewPasskeyAccountProps) {
  const { answer, reload } = useLoaded(fetchSignInOptions)
  const signIn = `/sign-in?return_to=${encodeURIComponent(returnTo)}`
  return (
    <Sheet title={words.withPasskey.title} plate="open" lead={words.withPasskey.lead}>
      {answer.state === 'loading' && <Skeleton label={words.withPasskey.loading} />}
      {answer.state === 'failed' && <FailureNotice error={answer.error} retry={reload} />}
      {answer.state === 'loaded' && answer.value.sign_up === 'open' && (
        <PasskeySignUp onSignedUp={() => goOn(returnTo)} />
      )}
      {answer.state === 'loaded' && answer.value.sign_up !== 'open' && (
        <Notice title={words.notAvailable.title} tone="warning">
          {words.notAvailable.detail}
        </Notice>
      )}
      <p>
        <Link href={signIn}>{words.withPasskey.signInInstead}</Link>
      </p>
    </Sheet>
  )
}
