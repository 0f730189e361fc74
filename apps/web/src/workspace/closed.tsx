import type { CloseCodeName } from '@patchbay/contracts/core'
import { putWorkspace } from '@patchbay/contracts/panels'
import { LayoutPanelLeft, LogIn, Plus } from 'lucide-react'
import { Unplugged } from '../brand/unplugged.tsx'
import { Button } from '../components/button.tsx'
import { ButtonLink } from '../components/button-link.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { FailureNotice } from '../server/failure-notice.tsx'
import { useAction } from '../server/use-action.ts'
import { useSession } from '../session/session-context.tsx'
import { workspaceOf } from './address.ts'
import { words } from './words.tsx'
import styles from './workspace.module.css'

const WORDS: Partial<Record<CloseCodeName, { readonly title: string; readonly text: string }>> = {
  session_ended: words.closed.signedOut,
  workspace_gone: words.closed.gone,
  workspace_not_permitted: words.closed.notPermitted,
}

/** In place of a workspace that cannot be shown, with what to do instead. */
export function Closed({ why }: { why: CloseCodeName }) {
  const { title, text } = WORDS[why] ?? words.closed.other
  const workspace = workspaceOf(location.pathname)
  const signIn = `/sign-in?return_to=${encodeURIComponent(location.pathname + location.search)}`
  return (
    <main className={styles.waiting}>
      <h1 className={styles.hidden}>{words.page.heading}</h1>
      <EmptyState
        title={title}
        picture={<Unplugged cable="panels" />}
        actions={
          <>
            {why === 'session_ended' && (
              <ButtonLink href={signIn} variant="primary" icon={<LogIn aria-hidden />}>
                {words.closed.signIn}
              </ButtonLink>
            )}
            {why === 'workspace_gone' && workspace !== undefined && <MakeButton {...workspace} />}
            <ButtonLink href="/workspaces" icon={<LayoutPanelLeft aria-hidden />}>
              {words.closed.all}
            </ButtonLink>
          </>
        }
      >
        {workspace !== undefined && (
          <p className={styles.which}>
            {workspace.owner}
            {'/'}
            {workspace.repo}
          </p>
        )}
        <p>{text}</p>
      </EmptyState>
    </main>
  )
}

function MakeButton({ owner, repo }: { owner: string; repo: string }) {
  const { session, change } = useSession()
  const making = useAction(async () => {
    await change(putWorkspace, { params: { owner, repo } })
    location.reload()
  })
  if (session.state !== 'known' || session.person === null) return null
  return (
    <>
      <Button
        variant="primary"
        icon={<Plus aria-hidden />}
        isPending={making.isPending}
        onPress={() => making.run()}
      >
        {words.closed.make(owner, repo)}
      </Button>
      <FailureNotice error={making.error} />
    </>
  )
}
