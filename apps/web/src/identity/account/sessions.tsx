import {
  deleteListedSession,
  deleteOtherSessions,
  type ListedSession,
  postSessionsSeen,
} from '@patchbay/contracts/identity'
import { AppWindow, Globe } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { notify } from '../../components/toast.tsx'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Entries, Entry } from '../../parts/entries.tsx'
import { Section } from '../../parts/section.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useSession } from '../../session/session-context.tsx'
import { useList } from '../../session/use-list.ts'
import { When } from '../../time/when.tsx'
import { fetchSessions } from './account.api.ts'
import { words } from './words.tsx'

/** Everything that is signed in as this person. Looking at it is what makes new entries known. */
export function Sessions() {
  const { change, refresh } = useSession()
  const { answer, reload, more } = useList(fetchSessions)
  useMarkSeen(answer.state === 'loaded' ? newestOf(answer.value.items) : undefined)
  const endOthers = async () => {
    const { body } = await change(deleteOtherSessions, {})
    notify({ title: words.sessions.endOthers.done(body.ended) })
    await refresh()
    reload()
  }
  return (
    <Section
      id="sessions"
      title={words.sessions.heading}
      lead={words.sessions.lead}
      action={
        <ConfirmButton
          label={words.sessions.endOthers.label}
          size="md"
          question={words.sessions.endOthers.question}
          confirmLabel={words.sessions.endOthers.confirm}
          cancelLabel={words.sessions.endOthers.cancel}
          confirm={endOthers}
        >
          {words.sessions.endOthers.consequence}
        </ConfirmButton>
      }
    >
      <Entries
        label={words.sessions.list}
        answer={answer}
        reload={reload}
        empty={words.sessions.none}
        keyOf={({ id }) => id}
      >
        {(session) => <SessionEntry session={session} onEnded={reload} />}
      </Entries>
      {more !== undefined && (
        <>
          <FailureNotice error={more.error} />
          <Button isPending={more.isPending} onPress={() => more.run()}>
            {words.sessions.more}
          </Button>
        </>
      )}
    </Section>
  )
}

function SessionEntry({ session, onEnded }: { session: ListedSession; onEnded: () => void }) {
  const { change } = useSession()
  const isApplication = session.kind === 'application'
  const name = session.label ?? (isApplication ? words.sessions.unnamedApplication : session.device)
  const end = async () => {
    await change(deleteListedSession, { params: { id: session.id } })
    notify({ title: words.sessions.end.done })
    onEnded()
  }
  return (
    <Entry
      icon={isApplication ? <AppWindow aria-hidden /> : <Globe aria-hidden />}
      title={<bdi>{name}</bdi>}
      badges={
        <>
          {session.is_current && <Badge tone="ok">{words.sessions.thisBrowser}</Badge>}
          {isApplication && <Badge>{words.sessions.application}</Badge>}
          {session.is_new && <Badge tone="accent">{words.sessions.new}</Badge>}
        </>
      }
      facts={[
        ...(session.label === null ? [] : [<bdi key="device">{session.device}</bdi>]),
        session.network,
        words.sessions.opened(<When at={session.created_at} />),
        words.sessions.lastUsed(<When at={session.last_used_at} />),
        words.sessions.ends(<When at={session.expires_at} />),
      ]}
      actions={
        !session.is_current && (
          <ConfirmButton
            label={words.sessions.end.label}
            fullLabel={words.sessions.end.fullLabel(name)}
            question={words.sessions.end.question}
            confirmLabel={words.sessions.end.confirm}
            confirm={end}
          >
            {words.sessions.end.consequence(name)}
          </ConfirmButton>
        )
      }
    />
  )
}

/** When the newest of the new ones began, if there is one. */
function newestOf(sessions: readonly ListedSession[]): string | undefined {
  return sessions.find(({ is_new }) => is_new)?.created_at
}

/** Once for each visit; what was new stays marked until the person leaves, and what comes meanwhile stays new. */
function useMarkSeen(until: string | undefined): void {
  const { change, refresh } = useSession()
  const isDone = useRef(false)
  useEffect(() => {
    if (until === undefined || isDone.current) return
    isDone.current = true
    // Not worth a message: the entries are marked as new once more next time.
    change(postSessionsSeen, { body: { until } }).then(
      () => refresh(),
      () => {},
    )
  }, [until, change, refresh])
}
