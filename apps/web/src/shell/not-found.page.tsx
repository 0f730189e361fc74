import { House } from 'lucide-react'
import { useLocation } from 'react-router'
import { Jack } from '../brand/jack.tsx'
import { ButtonLink } from '../components/button-link.tsx'
import styles from './not-found.module.css'
import { useDocumentTitle } from './page.tsx'
import { words } from './words.tsx'

export function NotFoundPage() {
  const { pathname } = useLocation()
  useDocumentTitle(words.notFound.heading)
  return (
    <div className={styles.page}>
      <div className={styles.jacks}>
        <Jack size={40} />
        <Jack size={40} />
        <Jack size={40} />
      </div>
      <h1 tabIndex={-1} className={styles.title}>
        {words.notFound.heading}
      </h1>
      <p className={styles.lead}>{words.notFound.lead(<code className={styles.path}>{pathname}</code>)}</p>
      <ButtonLink href="/" variant="primary" icon={<House aria-hidden />}>
        {words.goHome}
      </ButtonLink>
    </div>
  )
}
