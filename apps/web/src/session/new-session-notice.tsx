import { useLocation } from 'react-router'
import { ButtonLink } from '../components/button-link.tsx'
import { Notice } from '../components/notice.tsx'
import styles from './new-session-notice.module.css'
import { useSession } from './session-context.tsx'
import { words } from './words.ts'

/** Tells of sessions that applications were given since the person last looked: one may not be their doing. */
export function NewSessionNotice() {
  const { session } = useSession()
  const { pathname } = useLocation()
  const count = session.state === 'known' ? session.newApplicationSessions : 0
  if (count === 0 || pathname === '/account') return null
  return (
    <aside aria-label={words.newSessions.label} className={styles.place}>
      <Notice
        title={words.newSessions.title(count)}
        action={
          <ButtonLink href="/account#sessions" size="sm">
            {words.newSessions.review}
          </ButtonLink>
        }
      >
        {words.newSessions.text}
      </Notice>
    </aside>
  )
}
