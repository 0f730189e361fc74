import { ButtonLink } from '../../components/button-link.tsx'
import { Link } from '../../components/link.tsx'
import { Notice } from '../../components/notice.tsx'
import styles from './approval-end.module.css'
import type { Outcome } from './decided.ts'
import { words } from './words.tsx'

const SESSIONS = '/account#sessions'

/** What to do when there is nothing left to decide. */
export function ApprovalEnd({ state }: { state: Outcome | 'no-link' }) {
  if (state === 'approved') return <Approved />
  if (state === 'declined') return <Declined />
  if (state === 'linked' || state === 'approved-or-used') return <Linked />
  return <Notice title={words.end.startAgain.title}>{words.end.startAgain.detail}</Notice>
}

function Approved() {
  return (
    <p className={styles.text}>
      {words.end.approved.text(<Link href={SESSIONS}>{words.end.approved.sessions}</Link>)}
    </p>
  )
}

function Declined() {
  return <p className={styles.text}>{words.end.declined}</p>
}

function Linked() {
  return (
    <>
      <ul className={styles.choices}>
        <li>{words.end.linked.wasYou()}</li>
        <li>{words.end.linked.wasNotYou()}</li>
      </ul>
      <ButtonLink href={SESSIONS} size="lg">
        {words.end.linked.sessions}
      </ButtonLink>
    </>
  )
}
