import { KeyRound } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useAction } from '../../server/use-action.ts'
import { useSession } from '../../session/session-context.tsx'
import { useLoaded } from '../../session/use-loaded.ts'
import { IssuerButtons } from './issuer-buttons.tsx'
import { fetchSignInOptions, type SignInOptions, signInWithPasskey } from './sign-in.api.ts'
import styles from './sign-in-panel.module.css'
import { words } from './words.tsx'

interface SignInPanelProps {
  /** Where an issuer, or a sign-up, leads back to. */
  returnTo: string
  onSignedIn?: () => void
  /** What is said where accounts are by invitation only. */
  byInvitation?: string
}

/** The ways to sign in, wherever somebody needs to: on its own page or in the midst of an approval. */
export function SignInPanel({
  returnTo,
  onSignedIn,
  byInvitation = words.newHere.byInvitation,
}: SignInPanelProps) {
  const { answer, reload } = useLoaded(fetchSignInOptions)
  const { refresh } = useSession()
  const passkey = useAction(async () => {
    await signInWithPasskey()
    await refresh()
    onSignedIn?.()
  })
  if (answer.state === 'loading') return <Skeleton label={words.panel.loading} lines={3} />
  if (answer.state === 'failed') return <FailureNotice error={answer.error} retry={reload} />
  const { issuers, sign_up } = answer.value
  return (
    <div className={styles.panel}>
      <div className={styles.ways}>
        <IssuerButtons issuers={issuers} returnTo={returnTo} />
        <Button
          size="lg"
          icon={<KeyRound aria-hidden />}
          isPending={passkey.isPending}
          onPress={() => passkey.run()}
        >
          {words.panel.withPasskey}
        </Button>
      </div>
      <FailureNotice error={passkey.error} />
      <NewHere
        signUp={sign_up}
        hasIssuers={issuers.length > 0}
        returnTo={returnTo}
        byInvitation={byInvitation}
      />
    </div>
  )
}

interface NewHereProps {
  signUp: SignInOptions['sign_up']
  hasIssuers: boolean
  returnTo: string
  byInvitation: string
}

function NewHere({ signUp, hasIssuers, returnTo, byInvitation }: NewHereProps) {
  const create = (
    <Link href={`/sign-up?with=passkey&return_to=${encodeURIComponent(returnTo)}`}>
      {words.newHere.createLink}
    </Link>
  )
  return (
    <div className={styles.newHere}>
      <h2 className={styles.question}>{words.newHere.question}</h2>
      {signUp === 'open' && (
        <p>{hasIssuers ? words.newHere.createOrContinue(create) : words.newHere.create(create)}</p>
      )}
      {signUp === 'issuer' && hasIssuers && <p>{words.newHere.withIssuerOnly}</p>}
      {(signUp === 'invited' || (signUp === 'issuer' && !hasIssuers)) && <p>{byInvitation}</p>}
    </div>
  )
}
