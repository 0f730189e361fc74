import { words } from '../words.tsx'
import { useWorkspace } from '../workspace-context.ts'
import styles from './nav-bar.module.css'

/** That what is shown may be old, and that nothing is lost. The place is there always, for screen readers to hear it. */
export function AwayNotice() {
  const link = useWorkspace((snapshot) => snapshot.link)
  return (
    <output className={styles.away} data-shown={link === 'away' || undefined}>
      {link === 'away' && words.nav.away}
    </output>
  )
}
