import { Spinner } from '../components/spinner.tsx'
import styles from './page-loading.module.css'
import { words } from './words.tsx'

/** While the page's own code is still on its way. */
export function PageLoading() {
  return (
    <output className={styles.loading}>
      <Spinner label={words.loading} size="lg" />
    </output>
  )
}
