import { useNavigate } from 'react-router'
import { Notice } from '../../components/notice.tsx'
import { forgetSecret } from '../../secrets/secret-in-address.ts'
import { useSession } from '../../session/session-context.tsx'
import { useLoaded } from '../../session/use-loaded.ts'
import { When } from '../../time/when.tsx'
import { IssuerButtons } from '../sign-in/issuer-buttons.tsx'
import { fetchSignInOptions } from '../sign-in/sign-in.api.ts'
import { PasskeySignUp } from '../sign-up/passkey-sign-up.tsx'
import styles from './invited-account.module.css'
import { words } from './words.tsx'

interface InvitedAccountProps {
  invitation: string
  expiresAt: string
}

/** The two ways to use an invitation. */
export function InvitedAccount({ invitation, expiresAt }: InvitedAccountProps) {
  const navigate = useNavigate()
  const { session } = useSession()
  // Without the issuers a passkey still works: their failure is not worth a message here.
  const { answer } = useLoaded(fetchSignInOptions)
  const issuers = answer.state === 'loaded' ? answer.value.issuers : []
  return (
    <>
      {session.state === 'known' && session.person !== null && (
        <Notice title={words.account.signedInAs.title(session.person.handle)}>
          {words.account.signedInAs.detail}
        </Notice>
      )}
      <PasskeySignUp
        invitation={invitation}
        onSignedUp={() => {
          forgetSecret('/welcome')
          void navigate('/account', { replace: true })
        }}
      />
      {issuers.length > 0 && (
        <div className={styles.others}>
          <p className={styles.or}>{words.account.orWithIssuer}</p>
          <IssuerButtons issuers={issuers} returnTo="/account" invitation={invitation} />
        </div>
      )}
      <p className={styles.end}>{words.account.expires(<When at={expiresAt} />)}</p>
    </>
  )
}
