import { Link } from '../components/link.tsx'
import styles from './footer.module.css'

export function Footer() {
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <p>Patchbay is open source under Apache-2.0.</p>
        <nav aria-label="For developers" className={styles.links}>
          <Link variant="quiet" href="/reference" opensNewTab>
            HTTP reference
          </Link>
          <Link variant="quiet" href="/openapi.json" opensNewTab>
            OpenAPI
          </Link>
          <Link variant="quiet" href="/health" opensNewTab>
            Health
          </Link>
          <Link variant="quiet" href="/components">
            Components
          </Link>
        </nav>
      </div>
    </footer>
  )
}
