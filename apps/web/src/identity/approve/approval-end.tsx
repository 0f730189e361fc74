import { ButtonLink } from '../../components/button-link.tsx'
import { Link } from '../../components/link.tsx'
import { Notice } from '../../components/notice.tsx'
import styles from './approval-end.module.css'
import type { Outcome } from './decided.ts'

const SESSIONS = '/account#sessions'

/** What to do when there is nothing left to decide. */
export function ApprovalEnd({ state }: { state: Outcome | 'no-link' }) {
  if (state === 'approved') return <Approved />
  if (state === 'declined') return <Declined />
  if (state === 'linked' || state === 'approved-or-used') return <Linked />
  return (
    <Notice title="What to do">
      Start the sign-in again in the application. It shows a new link, which works for 15 minutes.
    </Notice>
  )
}

function Approved() {
  return (
    <p className={styles.text}>
      The application can act for you now. You can end that at any time in{' '}
      <Link href={SESSIONS}>your sessions</Link>.
    </p>
  )
}

function Declined() {
  return (
    <p className={styles.text}>
      If the application asks again and you did not start it, someone may be trying to get in. Decline each
      time.
    </p>
  )
}

function Linked() {
  return (
    <>
      <ul className={styles.choices}>
        <li>
          <strong>Was it you?</strong> Then there is nothing to do: the application has its session.
        </li>
        <li>
          <strong>Wasn’t it?</strong> Check your sessions, and end any you don’t recognize.
        </li>
      </ul>
      <ButtonLink href={SESSIONS} size="lg">
        Review your sessions
      </ButtonLink>
    </>
  )
}
