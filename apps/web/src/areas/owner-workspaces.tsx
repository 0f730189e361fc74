import { LayoutPanelLeft } from 'lucide-react'
import { useCallback } from 'react'
import { Button } from '../components/button.tsx'
import { Link } from '../components/link.tsx'
import { Entries, Entry } from '../parts/entries.tsx'
import { Section } from '../parts/section.tsx'
import { FailureNotice } from '../server/failure-notice.tsx'
import { useList } from '../session/use-list.ts'
import { When } from '../time/when.tsx'
import { words } from './words.tsx'
import { fetchWorkspaces } from './workspaces.api.ts'

/** The workspaces of one owner, the last changed first. */
export function OwnerWorkspaces({ owner, isOwn }: { owner: string; isOwn: boolean }) {
  const load = useCallback(
    (signal?: AbortSignal, cursor?: string) => fetchWorkspaces(owner, signal, cursor),
    [owner],
  )
  const { answer, reload, more } = useList(load)
  return (
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
  )
}
