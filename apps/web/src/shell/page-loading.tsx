import { Spinner } from '../components/spinner.tsx'
import styles from './page-loading.module.css'

/** While the page's own code is still on its way. */
export function PageLoading() {
  return (
    <output className={styles.loading}>
      <Spinner label="Loading the page" size="lg" />
    </output>
  )
}
