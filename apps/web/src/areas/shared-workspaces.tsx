import { LayoutPanelLeft } from 'lucide-react'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { Link } from '../components/link.tsx'
import { Entries, Entry } from '../parts/entries.tsx'
import { Section } from '../parts/section.tsx'
import { FailureNotice } from '../server/failure-notice.tsx'
import { useList } from '../session/use-list.ts'
import { When } from '../time/when.tsx'
import { words } from './words.tsx'
import { fetchShared } from './workspaces.api.ts'

/** Workspaces of others. Says nothing to whoever was never invited to one. */
export function SharedWorkspaces() {
  const { answer, reload, more } = useList(fetchShared)
  if (answer.state === 'loading' || (answer.state === 'loaded' && answer.value.items.length === 0))
    return null
  return (
    <Section id="shared-with-you" title={words.list.shared} lead={words.list.sharedLead}>
      <Entries
        label={words.list.shared}
        answer={answer}
        reload={reload}
        empty={words.list.none}
        keyOf={({ owner, repo }) => `${owner}/${repo}`}
      >
        {({ owner, repo, role, invitedBy, changedAt }) => (
          <Entry
            icon={<LayoutPanelLeft aria-hidden />}
            title={
              <Link href={`/workspaces/${owner}/${repo}`}>
                {owner}
                {'/'}
                {repo}
              </Link>
            }
            badges={<Badge>{words.list.roles[role]}</Badge>}
            facts={[
              words.list.invitedBy(invitedBy),
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
