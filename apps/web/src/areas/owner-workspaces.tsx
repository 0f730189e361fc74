import { deleteWorkspace } from '@patchbay/contracts/panels'
import { LayoutPanelLeft } from 'lucide-react'
import { useCallback } from 'react'
import { Button } from '../components/button.tsx'
import { Link } from '../components/link.tsx'
import { notify } from '../components/toast.tsx'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { Entries, Entry } from '../parts/entries.tsx'
import { Section } from '../parts/section.tsx'
import { FailureNotice } from '../server/failure-notice.tsx'
import { useSession } from '../session/session-context.tsx'
import { useList } from '../session/use-list.ts'
import { When } from '../time/when.tsx'
import { Trash } from './trash.tsx'
import { words } from './words.tsx'
import { fetchTrash, fetchWorkspaces } from './workspaces.api.ts'

interface OwnerWorkspacesProps {
  owner: string
  isOwn: boolean
  /** Whether the person may make workspaces for this owner, and delete them. */
  mayMake: boolean
}

/** The workspaces of one owner, the last changed first, and their trash. */
export function OwnerWorkspaces({ owner, isOwn, mayMake }: OwnerWorkspacesProps) {
  const { change } = useSession()
  const load = useCallback(
    (signal?: AbortSignal, cursor?: string) => fetchWorkspaces(owner, signal, cursor),
    [owner],
  )
  const { answer, reload, more } = useList(load)
  const loadTrash = useCallback(
    async (signal?: AbortSignal, cursor?: string) =>
      mayMake ? await fetchTrash(owner, signal, cursor) : { items: [], next_cursor: null },
    [owner, mayMake],
  )
  const trash = useList(loadTrash)
  const reloadBoth = () => {
    reload()
    trash.reload()
  }
  const remove = async (repo: string) => {
    await change(deleteWorkspace, { params: { owner, repo } })
    notify({ title: words.delete.done(`${owner}/${repo}`) })
    reloadBoth()
  }
  return (
    <>
      <Section
        id={`workspaces-${owner}`}
        title={isOwn ? words.list.own : words.list.of(owner)}
        lead={isOwn ? words.list.ownLead : words.list.memberLead}
      >
        <Entries
          label={words.list.of(owner)}
          answer={answer}
          reload={reload}
          empty={words.list.none}
          keyOf={({ repo }) => repo}
        >
          {({ repo, tabs, changedAt }) => (
            <Entry
              icon={<LayoutPanelLeft aria-hidden />}
              title={
                <Link href={`/workspaces/${owner}/${repo}`}>
                  {owner}
                  {'/'}
                  {repo}
                </Link>
              }
              facts={[
                tabs === 0 ? words.list.empty : words.list.panels(tabs),
                <span key="changed">{words.list.changed(<When at={changedAt} />)}</span>,
              ]}
              actions={
                mayMake && (
                  <ConfirmButton
                    label={words.delete.label}
                    fullLabel={words.delete.fullLabel(`${owner}/${repo}`)}
                    question={words.delete.question(`${owner}/${repo}`)}
                    confirmLabel={words.delete.label}
                    confirm={() => remove(repo)}
                  >
                    {words.delete.text}
                  </ConfirmButton>
                )
              }
            />
          )}
        </Entries>
        {more !== undefined && (
          <>
            <Button isPending={more.isPending} onPress={() => more.run()}>
              {words.list.showMore}
            </Button>
            <FailureNotice error={more.error} />
          </>
        )}
      </Section>
      {mayMake && <Trash owner={owner} list={trash} onChanged={reloadBoth} />}
    </>
  )
}
