import type { Paste } from '@patchbay/contracts/viewer'
import { Spinner } from '../../components/spinner.tsx'
import styles from './pictures.module.css'

/** Whether a name is looked for, or why there is none, or no better one. A good name needs no words: it stands above. */
export function NamingState({ paste: { state, naming_note } }: { paste: Paste }) {
  if (state === 'naming') {
    return (
      <p className={styles.naming}>
        <Spinner size="sm" label="" />
        Looking for a name…
      </p>
    )
  }
  if (state === 'named') {
    return naming_note === null ? null : (
      <p className={styles.facts}>No better name was found. {naming_note}</p>
    )
  }
  return (
    <p className={styles.facts}>
      {naming_note === null ? 'Named by its time.' : `No name was found. ${naming_note}`}
    </p>
  )
}
