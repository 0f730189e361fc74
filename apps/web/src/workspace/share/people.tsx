import { handle as handleSchema, Problem } from '@patchbay/contracts/core'
import {
  deleteWorkspaceMember,
  putWorkspaceMember,
  type WorkspaceMember,
  type WorkspaceRole,
} from '@patchbay/contracts/panels'
import { CircleUser } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/text-field.tsx'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Entries, Entry } from '../../parts/entries.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { textRule } from '../../server/text-rule.ts'
import { useAction } from '../../server/use-action.ts'
import { useSession } from '../../session/session-context.tsx'
import { When } from '../../time/when.tsx'
import { useWorkspaceSession } from '../workspace-context.ts'
import { RoleSelect } from './role-select.tsx'
import type { Members } from './share.api.ts'
import styles from './share.module.css'
import { words } from './words.tsx'

const isHandle = textRule(handleSchema)

interface PeopleProps {
  members: Members
  reload: () => void
}

type Row = { readonly handle: string; readonly member?: WorkspaceMember }

export function People({ members: { items, mayManage }, reload }: PeopleProps) {
  const { workspace } = useWorkspaceSession()
  const { session } = useSession()
  const you = session.state === 'known' ? session.person?.handle : undefined
  const rows: readonly Row[] = [
    { handle: workspace.owner },
    ...items.map((member) => ({ handle: member.handle, member })),
  ]
  return (
    <section aria-labelledby="people">
      <h3 id="people" className={styles.heading}>
        {words.people.heading}
      </h3>
      {mayManage && <AddPerson reload={reload} />}
      <p className={styles.note}>{words.rolesExplained}</p>
      <Entries
        label={words.people.list}
        answer={{ state: 'loaded', value: { items: rows } }}
        reload={reload}
        empty=""
        keyOf={({ handle }) => handle}
      >
        {({ handle, member }) =>
          member === undefined ? (
            <Entry
              icon={<CircleUser aria-hidden />}
              title={handle}
              badges={<Marks isOwner isYou={handle === you} />}
              // Who manages what is not theirs belongs to the organization that owns it.
              facts={[mayManage && handle !== you ? words.people.organizationFact : words.people.ownerFact]}
            />
          ) : (
            <Person member={member} isYou={handle === you} mayManage={mayManage} reload={reload} />
          )
        }
      </Entries>
      {!mayManage && <p className={styles.note}>{words.people.onlyOwner}</p>}
    </section>
  )
}

function Marks({ isOwner = false, isYou }: { isOwner?: boolean; isYou: boolean }) {
  return (
    <>
      {isOwner && <Badge>{words.people.owner}</Badge>}
      {isYou && <Badge tone="ok">{words.people.you}</Badge>}
    </>
  )
}

interface PersonProps {
  member: WorkspaceMember
  isYou: boolean
  mayManage: boolean
  reload: () => void
}

function Person({ member, isYou, mayManage, reload }: PersonProps) {
  const { handle, role, invitedBy, joinedAt } = member
  const { workspace } = useWorkspaceSession()
  const { change } = useSession()
  const params = { ...workspace, handle }
  const setting = useAction(async (wanted: WorkspaceRole) => {
    await change(putWorkspaceMember, { params, body: { role: wanted } })
    reload()
  })
  const remove = async () => {
    await change(deleteWorkspaceMember, { params })
    if (isYou) location.assign('/workspaces')
    else reload()
  }
  const said = words.people.invitedBy(invitedBy, <When at={joinedAt} />)
  return (
    <>
      <Entry
        icon={<CircleUser aria-hidden />}
        title={handle}
        badges={<Marks isYou={isYou} />}
        facts={[...(mayManage ? [] : [words.roles[role]]), <span key="by">{said}</span>]}
        actions={
          <>
            {mayManage && (
              <div className={styles.role}>
                <RoleSelect
                  label={words.people.roleOf(handle)}
                  isLabelHidden
                  size="sm"
                  value={role}
                  isDisabled={setting.isPending}
                  onChange={(wanted) => setting.run(wanted)}
                />
              </div>
            )}
            {(mayManage || isYou) && (
              <ConfirmButton
                label={isYou ? words.people.leave : words.people.remove}
                fullLabel={isYou ? words.people.leave : words.people.removeWho(handle)}
                question={isYou ? words.people.leaveQuestion : words.people.removeQuestion(handle)}
                confirmLabel={isYou ? words.people.leave : words.people.remove}
                cancelLabel={words.people.cancel}
                confirm={remove}
              >
                {isYou ? words.people.leaveText : words.people.removeText}
              </ConfirmButton>
            )}
          </>
        }
      />
      <FailureNotice error={setting.error} />
    </>
  )
}

function AddPerson({ reload }: { reload: () => void }) {
  const { workspace } = useWorkspaceSession()
  const { change } = useSession()
  const [handle, setHandle] = useState('')
  const [role, setRole] = useState<WorkspaceRole>('viewer')
  const [unknown, setUnknown] = useState<string>()
  const adding = useAction(async () => {
    try {
      await change(putWorkspaceMember, { params: { ...workspace, handle }, body: { role } })
      setHandle('')
      reload()
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'not_found')) throw error
      // Said at the field, where it can be mended.
      setUnknown(handle)
    }
  })
  const isOwner = handle === workspace.owner
  const wrong = isOwner ? words.add.isOwner : handle !== '' && handle === unknown && words.add.unknown
  return (
    <>
      <form
        className={styles.add}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (isHandle(handle) && !isOwner) adding.run()
        }}
      >
        <TextField
          label={words.add.handle}
          errorMessage={wrong === false ? undefined : wrong}
          value={handle}
          onChange={(text) => setHandle(text.toLowerCase().trim())}
          isMono
          autoComplete="off"
          spellCheck="false"
        />
        <RoleSelect label={words.add.role} value={role} onChange={setRole} />
        <Button type="submit" isPending={adding.isPending} isDisabled={!isHandle(handle) || isOwner}>
          {words.add.submit}
        </Button>
      </form>
      <FailureNotice error={adding.error} />
    </>
  )
}
