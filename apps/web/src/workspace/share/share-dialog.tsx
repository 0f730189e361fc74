import { useCallback, useEffect } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useLoaded } from '../../session/use-loaded.ts'
import { useWorkspace, useWorkspaceSession } from '../workspace-context.ts'
import { Links } from './links.tsx'
import { People } from './people.tsx'
import { fetchMembers } from './share.api.ts'
import styles from './share.module.css'
import { words } from './words.tsx'

interface ShareDialogProps {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** Who has access to the workspace; for those who may, how to give and take it. */
export function ShareDialog({ isOpen, onOpenChange }: ShareDialogProps) {
  return (
    <Dialog title={words.title} size="lg" isOpen={isOpen} onOpenChange={onOpenChange}>
      <Share />
    </Dialog>
  )
}

function Share() {
  const { workspace } = useWorkspaceSession()
  // Whoever joins, leaves or is removed is noted as an action.
  const latest = useWorkspace(({ actions }) => actions.at(-1)?.id)
  const load = useCallback((signal: AbortSignal) => fetchMembers(workspace, signal), [workspace])
  const { answer, reload } = useLoaded(load)
  useEffect(() => {
    if (latest !== undefined) reload()
  }, [latest, reload])
  if (answer.state === 'loading') return <Skeleton label={words.loading} lines={4} />
  if (answer.state === 'failed') return <FailureNotice error={answer.error} retry={reload} />
  return (
    <div className={styles.parts}>
      <People members={answer.value} reload={reload} />
      {answer.value.mayManage && <Links latest={latest} />}
    </div>
  )
}
