import { useValue, useViewer } from '../viewer-context.ts'
import styles from './viewer.module.css'

/** That the viewer is away, and that nothing is lost. The place is there always, for screen readers to hear it. */
export function AwayNotice() {
  const isAway = useValue(useViewer().link) === 'away'
  return (
    <output className={styles.away} data-shown={isAway || undefined}>
      {isAway && 'The viewer is not responding. Retrying; images you add are kept in the meantime.'}
    </output>
  )
}
