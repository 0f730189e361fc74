import { deletePersonAccess, type ListedPerson, patchPerson } from '@patchbay/contracts/identity'
import { CircleUser } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { notify } from '../../components/toast.tsx'
import { adviseOn } from '../../errors/advice.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Entry } from '../../parts/entries.tsx'
import { useAction } from '../../server/use-action.ts'
import { useSession } from '../../session/session-context.tsx'
import { When } from '../../time/when.tsx'

interface PersonEntryProps {
  listed: ListedPerson
  isYou: boolean
  onChanged: () => void
}

export function PersonEntry({ listed, isYou, onChanged }: PersonEntryProps) {
  const { change } = useSession()
  const { handle } = listed
  const [takesPackages, setTakesPackages] = useState(false)
  const set = async (isDisabled: boolean) => {
    const quarantine =
      isDisabled && takesPackages ? { quarantine_packages: { reason: 'The account is disabled.' } } : {}
    await change(patchPerson, { params: { handle }, body: { is_disabled: isDisabled, ...quarantine } })
    onChanged()
  }
  const endAccess = async () => {
    await change(deletePersonAccess, { params: { handle } })
    notify({ title: `All access of ${handle} has ended.` })
  }
  return (
    <Entry
      icon={<CircleUser aria-hidden />}
      title={<bdi>{listed.display_name}</bdi>}
      badges={
        <>
          {isYou && <Badge tone="ok">You</Badge>}
          {listed.is_admin && <Badge tone="info">Administrator</Badge>}
          {listed.is_disabled && <Badge tone="danger">Disabled</Badge>}
        </>
      }
      facts={[
        <code key="handle">{handle}</code>,
        <>
          Account created <When at={listed.created_at} />
        </>,
      ]}
      actions={
        listed.is_disabled ? (
          <EnableButton handle={handle} enable={() => set(false)} />
        ) : (
          !isYou && (
            <>
              <ConfirmButton
                label="End all access"
                fullLabel={`End all access of ${handle}`}
                question={`End all access of ${handle}?`}
                confirmLabel="End all access"
                cancelLabel="Cancel"
                confirm={endAccess}
              >
                {handle} is signed out everywhere, and all API keys and invitations of this account end. The
                account stays enabled: {handle} can sign in again.
              </ConfirmButton>
              <ConfirmButton
                label="Disable"
                fullLabel={`Disable ${handle}`}
                question={`Disable ${handle}?`}
                confirmLabel="Disable the account"
                cancelLabel="Keep it enabled"
                field={
                  <Checkbox isSelected={takesPackages} onChange={setTakesPackages}>
                    Quarantine the packages of {handle}
                  </Checkbox>
                }
                confirm={() => set(true)}
              >
                All sessions and API keys of this account end at once. They do not come back when you enable
                the account again.
              </ConfirmButton>
            </>
          )
        )
      }
    />
  )
}

function EnableButton({ handle, enable }: { handle: string; enable: () => Promise<void> }) {
  const enabling = useAction(enable)
  useEffect(() => {
    if (enabling.error !== undefined) notify({ title: adviseOn(enabling.error).title, tone: 'danger' })
  }, [enabling.error])
  return (
    <Button
      size="sm"
      aria-label={`Enable ${handle}`}
      isPending={enabling.isPending}
      onPress={() => enabling.run()}
    >
      Enable
    </Button>
  )
}
