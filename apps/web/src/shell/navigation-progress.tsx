import { useNavigation } from 'react-router'
import styles from './navigation-progress.module.css'
import { words } from './words.tsx'

/** A thin line under the top bar while the next page is being fetched. */
export function NavigationProgress() {
  const { state } = useNavigation()
  return (
    <output className={styles.place}>
      {state !== 'idle' && (
        <>
          <span className={styles.line} />
          <span className={styles.words}>{words.loading}</span>
        </>
      )}
    </output>
  )
}
