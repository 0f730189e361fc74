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
    notify({ title: `Version ${version.version} is ${STATUS_NAMES[status].toLowerCase()} now.` })
    onChanged()
  })
  useEffect(() => {
    if (changing.error !== undefined) notify({ title: adviseOn(changing.error).title, tone: 'danger' })
  }, [changing.error])
  return (
    <MenuTrigger>
      <Button
        size="sm"
        aria-label={`Change the status of version ${version.version}`}
        isPending={changing.isPending}
      >
        Status
      </Button>
      <Menu
        aria-label={`What version ${version.version} becomes`}
        entries={STATUS_CHANGES[version.status].map((id) => ({
          id,
          label: `Mark as ${STATUS_NAMES[id].toLowerCase()}`,
        }))}
        onAction={(id) => changing.run(String(id))}
      />
    </MenuTrigger>
  )
}
