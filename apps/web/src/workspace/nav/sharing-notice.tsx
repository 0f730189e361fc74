import { MonitorUp } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { useValue } from '../../parts/use-value.ts'
import { words } from '../words.tsx'
import { useWorkspaceSession } from '../workspace-context.ts'
import styles from './nav-bar.module.css'
import { useStartSharing } from './use-start-sharing.ts'

/** That the reload of the page has ended sharing, once. The place is there always, for screen readers to hear it. */
export function SharingNotice() {
  const { hasStoppedSharing } = useWorkspaceSession()
  const isShown = useValue(hasStoppedSharing)
  const startSharing = useStartSharing()
  return (
    <div className={styles.notice} data-shown={isShown || undefined}>
      <output>{isShown && words.sharing.stopped}</output>
      {isShown && (
        <div className={styles.answers}>
          <Button size="sm" icon={<MonitorUp aria-hidden />} onPress={() => startSharing('workspace')}>
            {words.sharing.again}
          </Button>
          <Button size="sm" variant="ghost" onPress={() => hasStoppedSharing.set(false)}>
            {words.sharing.notNow}
          </Button>
        </div>
      )}
    </div>
  )
}
