import { Problem } from '@patchbay/contracts/core'
import { ButtonLink } from '../../components/button-link.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { forgetSecret } from '../../secrets/secret-in-address.ts'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useSession } from '../../session/session-context.tsx'
import { useLoaded } from '../../session/use-loaded.ts'
import { defaultReturnTo } from '../return-to.ts'
import { Sheet } from '../sheet.tsx'
import { AccountForm } from './account-form.tsx'
import { fetchPendingSignUp, finishSignUp } from './sign-up.api.ts'
import { words } from './words.tsx'

/** The last step for somebody whom an issuer has vouched for: how the account is called. */
export function VouchedAccount({ goOn }: { goOn: (to: string) => void }) {
  const { answer, reload } = useLoaded(fetchPendingSignUp)
  const { refresh } = useSession()
  if (answer.state === 'failed' && isOver(answer.error)) {
    return (
      <Sheet title={words.expired.title} plate="pulled" lead={words.expired.lead}>
        {defaultReturnTo() === '/approve' ? (
          <ButtonLink href="/approve" size="lg">
            {words.expired.toRequest}
          </ButtonLink>
        ) : (
          <ButtonLink href="/sign-in" size="lg">
            {words.expired.toSignIn}
          </ButtonLink>
        )}
      </Sheet>
    )
  }
  return (
    <Sheet
      title={words.vouched.title}
      plate="open"
      lead={answer.state === 'loaded' ? words.vouched.lead(answer.value.issuer_name) : undefined}
    >
      {answer.state === 'loading' && <Skeleton label={words.vouched.loading} lines={4} />}
      {answer.state === 'failed' && <FailureNotice error={answer.error} retry={reload} />}
      {answer.state === 'loaded' && (
        <AccountForm
          suggested={{ handle: answer.value.suggested_handle, display_name: answer.value.display_name }}
          submitLabel={words.vouched.submit}
          submit={async (names) => {
            const returnTo = await finishSignUp(names)
            // An invitation has served by now, if it began with one.
            forgetSecret('/welcome')
            await refresh()
            goOn(returnTo)
          }}
        />
      )}
    </Sheet>
  )
}

function isOver(error: unknown): boolean {
  return error instanceof Problem && error.code === 'ceremony_expired'
}
