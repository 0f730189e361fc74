import type { MemberRole } from '@patchbay/contracts/identity'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Select } from '../../components/select.tsx'
import { Entry } from '../../parts/entries.tsx'
import type { Member } from './account.api.ts'
import styles from './members-dialog.module.css'
import { ROLE_NAMES, ROLE_OPTIONS } from './roles.ts'

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
      badges={isYou && <Badge tone="ok">You</Badge>}
      facts={[<code key="handle">{member.handle}</code>, ...(canChange ? [] : [ROLE_NAMES[member.role]])]}
      actions={
        <>
          {canChange && (
            <div className={styles.role}>
              <Select
                label={`Role of ${member.handle}`}
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
              aria-label={isYou ? 'Leave the organization' : `Remove ${member.handle}`}
              isDisabled={isBusy}
              onPress={onRemove}
            >
              {isYou ? 'Leave' : 'Remove'}
            </Button>
          )}
        </>
      }
    />
  )
}
