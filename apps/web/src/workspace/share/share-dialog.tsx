import type { PanelAction } from '@patchbay/contracts/panels'
import { useCallback, useEffect } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useSession } from '../../session/session-context.tsx'
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
  const { session } = useSession()
  const you = session.state === 'known' ? session.person?.handle : undefined
  // Whoever joins, leaves or is removed is noted as an action. Who has left would only be refused.
  const latest = useWorkspace(({ actions }) => actions.findLast((each) => !isLeaving(each, you))?.id)
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

function isLeaving({ by, action }: Pick<PanelAction, 'by' | 'action'>, you: string | undefined): boolean {
  return action === 'member leave' && by.handle === you
}
