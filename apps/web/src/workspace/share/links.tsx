import { SHARING_LIMITS } from '@patchbay/contracts/limits'
import {
  deleteWorkspaceInvitation,
  postWorkspaceInvitation,
  type WorkspaceInvitation,
  type WorkspaceRole,
} from '@patchbay/contracts/panels'
import { Link as LinkIcon } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { CopyField } from '../../components/copy-field.tsx'
import { Notice } from '../../components/notice.tsx'
import { Select } from '../../components/select.tsx'
import { Entries, Entry } from '../../parts/entries.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useAction } from '../../server/use-action.ts'
import { useSession } from '../../session/session-context.tsx'
import { useLoaded } from '../../session/use-loaded.ts'
import { When } from '../../time/when.tsx'
import { useWorkspaceSession } from '../workspace-context.ts'
import { RoleSelect } from './role-select.tsx'
import { fetchInvitations } from './share.api.ts'
import styles from './share.module.css'
import { words } from './words.tsx'

const HOURS = Object.entries(words.links.hours).map(([id, label]) => ({ id, label }))
const USES = [1, 5, 25, SHARING_LIMITS.members].map((count) => ({
  id: String(count),
  label: words.links.people(count),
}))

/** Links that let people in. `latest` moves when somebody has joined, or another one has made or ended a link. */
export function Links({ latest }: { latest: number | undefined }) {
  const { workspace } = useWorkspaceSession()
  const load = useCallback((signal: AbortSignal) => fetchInvitations(workspace, signal), [workspace])
  const { answer, reload } = useLoaded(load)
  useEffect(() => {
    if (latest !== undefined) reload()
  }, [latest, reload])
  return (
    <section aria-labelledby="links">
      <h3 id="links" className={styles.heading}>
        {words.links.heading}
      </h3>
      <p className={styles.note}>{words.links.lead}</p>
      <NewLink reload={reload} />
      <Entries
        label={words.links.list}
        answer={answer}
        reload={reload}
        empty={words.links.none}
        keyOf={({ id }) => id}
      >
        {(invitation) => <OpenLink invitation={invitation} reload={reload} />}
      </Entries>
    </section>
  )
}

function NewLink({ reload }: { reload: () => void }) {
  const { workspace } = useWorkspaceSession()
  const { change } = useSession()
  const [role, setRole] = useState<WorkspaceRole>('viewer')
  const [hours, setHours] = useState(String(SHARING_LIMITS.defaultInvitationHours))
  const [uses, setUses] = useState('1')
  const [made, setMade] = useState<string>()
  const creating = useAction(async () => {
    const body = { role, expiresInHours: Number(hours), uses: Number(uses) }
    const { body: answer } = await change(postWorkspaceInvitation, { params: workspace, body })
    setMade(answer.url)
    reload()
  })
  return (
    <>
      <form
        className={styles.create}
        onSubmit={(event) => {
          event.preventDefault()
          creating.run()
        }}
      >
        <RoleSelect label={words.links.role} value={role} onChange={setRole} />
        <Select
          label={words.links.expires}
          options={HOURS}
          value={hours}
          onChange={(key) => setHours(String(key))}
        />
        <Select
          label={words.links.uses}
          options={USES}
          value={uses}
          onChange={(key) => setUses(String(key))}
        />
        <Button type="submit" isPending={creating.isPending}>
          {words.links.create}
        </Button>
      </form>
      <FailureNotice error={creating.error} />
      {made !== undefined && <MadeLink key={made} url={made} />}
    </>
  )
}

/** The only moment at which it can be read. */
function MadeLink({ url }: { url: string }) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Answers a promise in some browsers, which React would take for what cleans up.
    frame.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={frame} className={styles.made}>
      <Notice title={words.links.made} tone="ok" isLive />
      <CopyField label={words.links.link} value={url} />
    </div>
  )
}

function OpenLink({ invitation, reload }: { invitation: WorkspaceInvitation; reload: () => void }) {
  const { workspace } = useWorkspaceSession()
  const { change } = useSession()
  const { id, role, createdBy, expiresAt, usesLeft } = invitation
  const revoking = useAction(async () => {
    await change(deleteWorkspaceInvitation, { params: { ...workspace, id } })
    reload()
  })
  return (
    <>
      <Entry
        icon={<LinkIcon aria-hidden />}
        title={words.links.title(words.roles[role])}
        facts={[
          words.links.usesLeft(usesLeft),
          <span key="end">{words.links.ends(<When at={expiresAt} />)}</span>,
          words.links.by(createdBy),
        ]}
        actions={
          <Button
            size="sm"
            aria-label={words.links.revokeWhich(role)}
            isPending={revoking.isPending}
            onPress={() => revoking.run()}
          >
            {words.links.revoke}
          </Button>
        }
      />
      <FailureNotice error={revoking.error} />
    </>
  )
}
