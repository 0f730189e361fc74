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
import { countOf } from '../../time/words.ts'
import { fetchSessions } from './account.api.ts'

/** Everything that is signed in as this person. Looking at it is what makes new entries known. */
export function Sessions() {
  const { change, refresh } = useSession()
  const { answer, reload, more } = useList(fetchSessions)
  useMarkSeen(answer.state === 'loaded' ? newestOf(answer.value.items) : undefined)
  const endOthers = async () => {
    const { body } = await change(deleteOtherSessions, {})
    notify({ title: `${countOf(body.ended, 'session')} ended.` })
    await refresh()
    reload()
  }
  return (
    <Section
      id="sessions"
      title="Sessions"
      lead="Browsers and applications that act for you. End what you do not know; it stops at once."
      action={
        <ConfirmButton
          label="End all others"
          size="md"
          question="End all other sessions?"
          confirmLabel="End all others"
          cancelLabel="Keep them"
          confirm={endOthers}
        >
          Every browser but this one, and every application, must be signed in again. API keys keep working.
        </ConfirmButton>
      }
    >
      <Entries
        label="Your sessions"
        answer={answer}
        reload={reload}
        empty="No sessions."
        keyOf={({ id }) => id}
      >
        {(session) => <SessionEntry session={session} onEnded={reload} />}
      </Entries>
      {more !== undefined && (
        <>
          <FailureNotice error={more.error} />
          <Button isPending={more.isPending} onPress={() => more.run()}>
            Show more sessions
          </Button>
        </>
      )}
    </Section>
  )
}

function SessionEntry({ session, onEnded }: { session: ListedSession; onEnded: () => void }) {
  const { change } = useSession()
  const isApplication = session.kind === 'application'
  const name = session.label ?? (isApplication ? 'An application without a name' : session.device)
  const end = async () => {
    await change(deleteListedSession, { params: { id: session.id } })
    notify({ title: 'Session ended.' })
    onEnded()
  }
  return (
    <Entry
      icon={isApplication ? <AppWindow aria-hidden /> : <Globe aria-hidden />}
      title={<bdi>{name}</bdi>}
      badges={
        <>
          {session.is_current && <Badge tone="ok">This browser</Badge>}
          {isApplication && <Badge>Application</Badge>}
          {session.is_new && <Badge tone="accent">New</Badge>}
        </>
      }
      facts={[
        ...(session.label === null ? [] : [<bdi key="device">{session.device}</bdi>]),
        session.network,
        <>
          Opened <When at={session.created_at} />
        </>,
        <>
          Last used <When at={session.last_used_at} />
        </>,
        <>
          Ends <When at={session.expires_at} />
        </>,
      ]}
      actions={
        !session.is_current && (
          <ConfirmButton
            label="End"
            fullLabel={`End the session of ${name}`}
            question="End this session?"
            confirmLabel="End the session"
            confirm={end}
          >
            <bdi>{name}</bdi> stops acting for you at once, and must be signed in again.
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
