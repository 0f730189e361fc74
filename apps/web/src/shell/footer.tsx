import { Link } from '../components/link.tsx'
import styles from './footer.module.css'
import { words } from './words.tsx'

export function Footer() {
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <p>{words.footer.license}</p>
        <nav aria-label={words.footer.label} className={styles.links}>
          <Link variant="quiet" href="/docs/" opensNewTab>
            {words.footer.reference}
          </Link>
          <Link variant="quiet" href="/openapi.json" opensNewTab>
            {words.footer.openApi}
          </Link>
          <Link variant="quiet" href="/health" opensNewTab>
            {words.footer.health}
          </Link>
          <Link variant="quiet" href="/components">
            {words.footer.components}
          </Link>
        </nav>
      </div>
    </footer>
  )
}
