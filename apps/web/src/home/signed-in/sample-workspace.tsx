import { putWorkspace } from '@patchbay/contracts/panels'
import { Lightbulb } from 'lucide-react'
import { Unplugged } from '../../brand/unplugged.tsx'
import { Button } from '../../components/button.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useAction } from '../../server/use-action.ts'
import { useSession } from '../../session/session-context.tsx'
import { words } from './words.tsx'

const REPO = 'night-lamp'

/** For somebody without a workspace: one that holds something, in one press. */
export function SampleWorkspace({ owner }: { owner: string }) {
  const { change } = useSession()
  const making = useAction(async () => {
    await change(putWorkspace, { params: { owner, repo: REPO }, body: { template: 'sample' } })
    location.assign(`/workspaces/${owner}/${REPO}`)
  })
  return (
    <EmptyState
      title={words.sample.title}
      picture={<Unplugged cable="panels" />}
      actions={
        <>
          <Button
            variant="primary"
            icon={<Lightbulb aria-hidden />}
            isPending={making.isPending}
            onPress={() => making.run()}
          >
            {words.sample.open}
          </Button>
          <ButtonLink href="/workspaces">{words.sample.own}</ButtonLink>
        </>
      }
    >
      <p>{words.sample.text}</p>
      <FailureNotice error={making.error} />
    </EmptyState>
  )
}
