import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { useEffect, useState } from 'react'
import { Skeleton } from '../components/skeleton.tsx'
import { useValue } from '../parts/use-value.ts'
import { FailureNotice } from '../server/failure-notice.tsx'
import { useSession } from '../session/session-context.tsx'
import { Closed } from './closed.tsx'
import type { Randomness } from './randomness.ts'
import { words } from './words.tsx'
import styles from './workspace.module.css'
import { useWorkspace, WorkspaceContext } from './workspace-context.ts'
import { createWorkspaceSession, type WorkspaceSession } from './workspace-session.ts'
import { WorkspaceView } from './workspace-view.tsx'

interface EntranceProps {
  workspace: WorkspaceRef
  randomness: Randomness
}

/** Lets in who is signed in. The workspace stays as it is while the session is asked for again. */
export function WorkspaceLoader({ workspace, randomness }: EntranceProps) {
  const { session, refresh } = useSession()
  useEffect(() => {
    document.title = words.page.documentTitle(workspace.owner, workspace.repo)
  }, [workspace])
  if (session.state === 'known' && session.person !== null)
    return (
      <Open
        key={session.person.handle}
        workspace={workspace}
        randomness={randomness}
        csrfToken={session.csrfToken ?? ''}
      />
    )
  if (session.state === 'known') return <Closed why="session_ended" />
  return (
    <main className={styles.waiting}>
      <h1 className={styles.hidden}>{words.page.heading}</h1>
      {session.state === 'loading' ? (
        <Skeleton label={words.page.checkingSignIn} lines={4} />
      ) : (
        <FailureNotice error={session.error} retry={() => void refresh()} />
      )}
    </main>
  )
}

function Open({ workspace, randomness, csrfToken }: EntranceProps & { csrfToken: string }) {
  const [session] = useState(() => createWorkspaceSession(workspace, randomness))
  useEffect(() => session.start(), [session])
  useEffect(() => session.csrfToken.set(csrfToken), [session, csrfToken])
  return (
    <WorkspaceContext value={session}>
      <Watch session={session} />
      <OpenOrEnded />
    </WorkspaceContext>
  )
}

/** After a lost connection: it may be that the person was signed out, which a refused connection does not say. */
function Watch({ session }: { session: WorkspaceSession }) {
  const losses = useValue(session.losses)
  const { refresh } = useSession()
  useEffect(() => {
    if (losses > 0) void refresh({ isQuiet: true })
  }, [losses, refresh])
  return null
}

function OpenOrEnded() {
  const ending = useWorkspace((snapshot) => snapshot.ending)
  return ending === undefined ? <WorkspaceView /> : <Closed why={ending} />
}
