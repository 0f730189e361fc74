import { useNavigate, useSearchParams } from 'react-router'
import { safeReturnTo } from '../return-to.ts'
import { NewPasskeyAccount } from './new-passkey-account.tsx'
import { VouchedAccount } from './vouched-account.tsx'

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
