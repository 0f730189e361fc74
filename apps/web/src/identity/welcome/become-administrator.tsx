import { postInvitationAccept } from '@patchbay/contracts/identity'
import { useNavigate } from 'react-router'
import { Button } from '../../components/button.tsx'
import { notify } from '../../components/toast.tsx'
import { forgetSecret } from '../../secrets/secret-in-address.ts'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useAction } from '../../server/use-action.ts'
import { useSession } from '../../session/session-context.tsx'
import styles from './invited-account.module.css'
import { words } from './words.tsx'

interface BecomeAdministratorProps {
  invitation: string
  person: { readonly handle: string; readonly is_admin: boolean }
  makeAnother: () => void
}

/** For whoever is signed in: the link is for them, unless they say that it is for somebody new. */
export function BecomeAdministrator({ invitation, person, makeAnother }: BecomeAdministratorProps) {
  const navigate = useNavigate()
  const { change, refresh } = useSession()
  const accepting = useAction(async () => {
    await change(postInvitationAccept, { body: { invitation } })
    forgetSecret('/welcome')
    await refresh()
    notify({ title: words.administrator.done(person.handle) })
    await navigate('/account/people', { replace: true })
  })
  return (
    <>
      <p>
        {words.administrator.signedInAs(person.handle)}{' '}
        {person.is_admin ? words.administrator.already : words.administrator.question}
      </p>
      <FailureNotice error={accepting.error} />
      <div className={styles.choices}>
        {!person.is_admin && (
          <Button variant="primary" isPending={accepting.isPending} onPress={accepting.run}>
            {words.administrator.accept(person.handle)}
          </Button>
        )}
        <Button onPress={makeAnother}>{words.administrator.createAnother}</Button>
      </div>
    </>
  )
}
