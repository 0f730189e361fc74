import { putWorkspaceAccess, type WorkspaceActor } from '@patchbay/contracts/panels'
import { findTab, type Layout } from '@patchbay/workspace-layout'
import { Bot } from 'lucide-react'
import { useCallback, useEffect } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Drawer } from '../../components/drawer.tsx'
import { Entries, Entry } from '../../parts/entries.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useAction } from '../../server/use-action.ts'
import { useSession } from '../../session/session-context.tsx'
import { useLoaded } from '../../session/use-loaded.ts'
import { When } from '../../time/when.tsx'
import { actionInWords } from '../action-words.ts'
import { words } from '../words.tsx'
import { fetchActors } from '../workspace.api.ts'
import { useWorkspace, useWorkspaceSession } from '../workspace-context.ts'
import styles from './agents-drawer.module.css'

interface AgentsDrawerProps {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** Who has acted on the workspace from outside, what they did and why, and how to end that. */
export function AgentsDrawer({ isOpen, onOpenChange }: AgentsDrawerProps) {
  const mayChange = useWorkspace((snapshot) => snapshot.mayChange)
  return (
    <Drawer title={words.agents.title} size="wide" isOpen={isOpen} onOpenChange={onOpenChange}>
      {() => (
        <div className={styles.parts}>
          {/* Who acts from outside is for those who could end it. */}
          {mayChange && <Actors />}
          <RecentActions />
        </div>
      )}
    </Drawer>
  )
}

function Actors() {
  const { workspace } = useWorkspaceSession()
  const latest = useWorkspace(({ actions }) => actions.at(-1)?.id)
  const load = useCallback((signal: AbortSignal) => fetchActors(workspace, signal), [workspace])
  const { answer, reload } = useLoaded(load)
  useEffect(() => {
    if (latest !== undefined) reload()
  }, [latest, reload])
  return (
    <section aria-labelledby="actors">
      <h3 id="actors" className={styles.heading}>
        {words.agents.heading}
      </h3>
      <Entries
        label={words.agents.list}
        answer={answer}
        reload={reload}
        empty={words.agents.none}
        keyOf={({ credentialId }) => credentialId}
      >
        {(actor) => <Actor actor={actor} reload={reload} />}
      </Entries>
    </section>
  )
}

function Actor({ actor, reload }: { actor: WorkspaceActor; reload: () => void }) {
  const { workspace } = useWorkspaceSession()
  const mayChange = useWorkspace((snapshot) => snapshot.mayChange)
  const { change } = useSession()
  const switching = useAction(async () => {
    const params = { ...workspace, credentialId: actor.credentialId }
    await change(putWorkspaceAccess, { params, body: { isEnded: !actor.isEnded } })
    reload()
  })
  const label = actor.isEnded ? words.agents.giveBack : words.agents.end
  return (
    <>
      <Entry
        icon={<Bot aria-hidden />}
        title={actor.name}
        badges={actor.isEnded && <Badge tone="danger">{words.agents.ended}</Badge>}
        facts={[
          actor.handle,
          actor.kind === 'api_key' ? words.agents.apiKey : words.agents.application,
          words.agents.actions(actor.actions),
          actionInWords(actor.lastAction),
          <When key="when" at={actor.lastActionAt} />,
        ]}
        actions={
          mayChange && (
            <Button
              size="sm"
              variant={actor.isEnded ? 'secondary' : 'danger'}
              aria-label={words.agents.switchOf(label, actor.name)}
              isPending={switching.isPending}
              onPress={() => switching.run()}
            >
              {label}
            </Button>
          )
        }
      />
      <FailureNotice error={switching.error} />
    </>
  )
}

function RecentActions() {
  const actions = useWorkspace((snapshot) => snapshot.actions)
  const layout = useWorkspace((snapshot) => snapshot.layout)
  return (
    <section aria-labelledby="recent">
      <h3 id="recent" className={styles.heading}>
        {words.agents.activity}
      </h3>
      {actions.length === 0 ? (
        <p className={styles.none}>{words.agents.noActivity}</p>
      ) : (
        <ol aria-label={words.agents.activity} className={styles.actions}>
          {actions.toReversed().map(({ id, by, action, reason, at, tabId, times }) => (
            <li key={id} className={styles.action}>
              <p>
                <strong>{by.name}</strong> {actionInWords(action)}
                {times > 1 && <span className={styles.times}>{` ${words.agents.times(times)}`}</span>}
              </p>
              {reason !== undefined && <p className={styles.reason}>{words.agents.reason(reason)}</p>}
              <p className={styles.when}>
                {[titleOf(layout, tabId), by.handle].filter(Boolean).join(', ')}
                {', '}
                <When at={at} />
              </p>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

/** Of a panel that was closed since, or of the workspace as a whole, there is none. */
function titleOf(layout: Layout, tabId: string | null): string | undefined {
  return tabId === null ? undefined : findTab(layout, tabId)?.tab.title
}
