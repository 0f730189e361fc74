import { useValue } from '../../parts/use-value.ts'
import { useViewer } from '../viewer-context.ts'
import styles from './viewer.module.css'

/** What happened, for those who do not see it. The place is there always, for screen readers to hear it. */
export function Spoken() {
  const { announcer } = useViewer()
  const { count, words } = useValue(announcer.latest)
  return (
    <output className={styles.hidden} data-spoken>
      <span key={count}>{words}</span>
    </output>
  )
}
