import {
  type PublishedVersion,
  patchPackageVersion,
  type PackagePage as Shown,
} from '@patchbay/contracts/registry'
import { STATUS_CHANGES, VERSION_STATUSES } from '@patchbay/package-format'
import { useEffect } from 'react'
import { MenuTrigger } from 'react-aria-components/Menu'
import { Button } from '../../components/button.tsx'
import { Menu } from '../../components/menu.tsx'
import { notify } from '../../components/toast.tsx'
import { adviseOn } from '../../errors/advice.ts'
import { useAction } from '../../server/use-action.ts'
import { useSession } from '../../session/session-context.tsx'
import { STATUS_NAMES } from '../words.ts'
import { words } from './words.tsx'

interface ChangeStatusProps {
  shown: Shown
  version: PublishedVersion
  onChanged: () => void
}

/** Offers what the version can become, and nothing else. */
export function ChangeStatus({ shown, version, onChanged }: ChangeStatusProps) {
  const { change } = useSession()
  const { owner, identifier } = shown
  const changing = useAction(async (id: string) => {
    const status = VERSION_STATUSES.find((each) => each === id)
    if (status === undefined) return
    await change(patchPackageVersion, {
      params: { owner, identifier, version: version.version },
      body: { status },
    })
    notify({ title: words.status.done(version.version, STATUS_NAMES[status]) })
    onChanged()
  })
  useEffect(() => {
    if (changing.error !== undefined) notify({ title: adviseOn(changing.error).title, tone: 'danger' })
  }, [changing.error])
  return (
    <MenuTrigger>
      <Button size="sm" aria-label={words.status.labelOf(version.version)} isPending={changing.isPending}>
        {words.status.label}
      </Button>
      <Menu
        aria-label={words.status.choices(version.version)}
        entries={STATUS_CHANGES[version.status].map((id) => ({
          id,
          label: words.status.choice(STATUS_NAMES[id]),
        }))}
        onAction={(id) => changing.run(String(id))}
      />
    </MenuTrigger>
  )
}
