import type { MemberRole } from '@patchbay/contracts/identity'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Select } from '../../components/select.tsx'
import { Entry } from '../../parts/entries.tsx'
import type { Member } from './account.api.ts'
import styles from './members-dialog.module.css'
import { ROLE_OPTIONS } from './roles.ts'
import { words } from './words.tsx'

interface MemberEntryProps {
  member: Member
  isYou: boolean
  canChange: boolean
  isBusy: boolean
  onRole: (role: MemberRole) => void
  onRemove: () => void
}

export function MemberEntry({ member, isYou, canChange, isBusy, onRole, onRemove }: MemberEntryProps) {
  return (
    <Entry
      title={<bdi>{member.display_name}</bdi>}
      badges={isYou && <Badge tone="ok">{words.members.you}</Badge>}
      facts={[<code key="handle">{member.handle}</code>, ...(canChange ? [] : [words.roles[member.role]])]}
      actions={
        <>
          {canChange && (
            <div className={styles.role}>
              <Select
                label={words.members.roleOf(member.handle)}
                isLabelHidden
                options={ROLE_OPTIONS}
                value={member.role}
                isDisabled={isBusy}
                onChange={(role) => onRole(role as MemberRole)}
                size="sm"
              />
            </div>
          )}
          {(canChange || isYou) && (
            <Button
              size="sm"
              aria-label={isYou ? words.members.fullLeave : words.members.fullRemove(member.handle)}
              isDisabled={isBusy}
              onPress={onRemove}
            >
              {isYou ? words.members.leave : words.members.remove}
            </Button>
          )}
        </>
      }
    />
  )
}
