import { House } from 'lucide-react'
import { useLocation } from 'react-router'
import { Jack } from '../brand/jack.tsx'
import { ButtonLink } from '../components/button-link.tsx'
import styles from './not-found.module.css'
import { useDocumentTitle } from './page.tsx'

export function NotFoundPage() {
  const { pathname } = useLocation()
  useDocumentTitle('Page not found')
  return (
    <div className={styles.page}>
      <div className={styles.jacks}>
        <Jack size={40} />
        <Jack size={40} />
        <Jack size={40} />
      </div>
      <h1 tabIndex={-1} className={styles.title}>
        Page not found
      </h1>
      <p className={styles.lead}>
        <code className={styles.path}>{pathname}</code> leads nowhere. It may be mistyped, or what was here
        has moved.
      </p>
      <ButtonLink href="/" variant="primary" icon={<House aria-hidden />}>
        Go to the home page
      </ButtonLink>
    </div>
  )
}
