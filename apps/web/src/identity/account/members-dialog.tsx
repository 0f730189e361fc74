import {
  deleteMember,
  type MemberRole,
  type Organization,
  type Person,
  putMember,
} from '@patchbay/contracts/identity'
import { Users } from 'lucide-react'
import { useCallback } from 'react'
import { DialogTrigger } from 'react-aria-components/Dialog'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Entries } from '../../parts/entries.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useAction } from '../../server/use-action.ts'
import { useSession } from '../../session/session-context.tsx'
import { useLoaded } from '../../session/use-loaded.ts'
import { fetchMembers } from './account.api.ts'
import { AddMember } from './add-member.tsx'
import { MemberEntry } from './member-entry.tsx'
import styles from './members-dialog.module.css'
import { words } from './words.tsx'

interface MembersDialogProps {
  organization: Organization
  person: Person
  /** Something changed that the list of organizations shows. */
  onChanged: () => void
}

export function MembersDialog(props: MembersDialogProps) {
  const { handle, display_name } = props.organization
  return (
    <DialogTrigger>
      <Button size="sm" icon={<Users aria-hidden />} aria-label={words.members.fullOpen(handle)}>
        {words.members.open}
      </Button>
      <Dialog title={words.members.title(display_name)} size="lg">
        <Members {...props} />
      </Dialog>
    </DialogTrigger>
  )
}

function Members({ organization, person, onChanged }: MembersDialogProps) {
  const { handle } = organization
  const isOwner = organization.role === 'owner'
  const { change } = useSession()
  const load = useCallback((signal: AbortSignal) => fetchMembers(handle, signal), [handle])
  const { answer, reload } = useLoaded(load)
  const set = async (member: string, role: MemberRole) => {
    await change(putMember, { params: { handle, person: member }, body: { role } })
    reload()
    onChanged()
  }
  const setting = useAction(set)
  const removing = useAction(async (member: string) => {
    await change(deleteMember, { params: { handle, person: member } })
    // Whoever has left can no longer see the list.
    if (member !== person.handle) reload()
    onChanged()
  })
  return (
    <div className={styles.members}>
      <Entries
        label={words.members.list(handle)}
        answer={answer}
        reload={reload}
        empty={words.members.none}
        keyOf={(member) => member.handle}
      >
        {(member) => (
          <MemberEntry
            member={member}
            isYou={member.handle === person.handle}
            canChange={isOwner}
            isBusy={setting.isPending || removing.isPending}
            onRole={(role) => setting.run(member.handle, role)}
            onRemove={() => removing.run(member.handle)}
          />
        )}
      </Entries>
      <FailureNotice error={setting.error ?? removing.error} />
      {isOwner && <AddMember isBusy={setting.isPending || removing.isPending} add={set} />}
    </div>
  )
}
