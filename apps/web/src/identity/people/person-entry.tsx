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
import { words } from './words.tsx'

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
      isDisabled && takesPackages ? { quarantine_packages: { reason: words.disable.quarantineReason } } : {}
    await change(patchPerson, { params: { handle }, body: { is_disabled: isDisabled, ...quarantine } })
    onChanged()
  }
  const endAccess = async () => {
    await change(deletePersonAccess, { params: { handle } })
    notify({ title: words.endAccess.done(handle) })
  }
  return (
    <Entry
      icon={<CircleUser aria-hidden />}
      title={<bdi>{listed.display_name}</bdi>}
      badges={
        <>
          {isYou && <Badge tone="ok">{words.person.you}</Badge>}
          {listed.is_admin && <Badge tone="info">{words.person.administrator}</Badge>}
          {listed.is_disabled && <Badge tone="danger">{words.person.disabled}</Badge>}
        </>
      }
      facts={[<code key="handle">{handle}</code>, words.person.created(<When at={listed.created_at} />)]}
      actions={
        listed.is_disabled ? (
          <EnableButton handle={handle} enable={() => set(false)} />
        ) : (
          !isYou && (
            <>
              <ConfirmButton
                label={words.endAccess.label}
                fullLabel={words.endAccess.fullLabel(handle)}
                question={words.endAccess.question(handle)}
                confirmLabel={words.endAccess.confirm}
                cancelLabel={words.endAccess.cancel}
                confirm={endAccess}
              >
                {words.endAccess.consequence(handle)}
              </ConfirmButton>
              <ConfirmButton
                label={words.disable.label}
                fullLabel={words.disable.fullLabel(handle)}
                question={words.disable.question(handle)}
                confirmLabel={words.disable.confirm}
                cancelLabel={words.disable.cancel}
                field={
                  <Checkbox isSelected={takesPackages} onChange={setTakesPackages}>
                    {words.disable.quarantine(handle)}
                  </Checkbox>
                }
                confirm={() => set(true)}
              >
                {words.disable.consequence}
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
      aria-label={words.enable.fullLabel(handle)}
      isPending={enabling.isPending}
      onPress={() => enabling.run()}
    >
      {words.enable.label}
    </Button>
  )
}
