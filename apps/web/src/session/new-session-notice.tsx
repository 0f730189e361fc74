import { useLocation } from 'react-router'
import { ButtonLink } from '../components/button-link.tsx'
import { Notice } from '../components/notice.tsx'
import styles from './new-session-notice.module.css'
import { useSession } from './session-context.tsx'

/** Tells of sessions that applications were given since the person last looked: one may not be their doing. */
export function NewSessionNotice() {
  const { session } = useSession()
  const { pathname } = useLocation()
  const count = session.state === 'known' ? session.newApplicationSessions : 0
  if (count === 0 || pathname === '/account') return null
  return (
    <aside aria-label="New sessions" className={styles.place}>
      <Notice
        title={
          count === 1
            ? 'A new application session was opened.'
            : `${count} new application sessions were opened.`
        }
        action={
          <ButtonLink href="/account#sessions" size="sm">
            Review
          </ButtonLink>
        }
      >
        If it was you, there is nothing to do. If not, end it.
      </Notice>
    </aside>
  )
}
