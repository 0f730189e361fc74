import { patchPackage, type PackagePage as Shown } from '@patchbay/contracts/registry'
import { Notice } from '../../components/notice.tsx'
import { notify } from '../../components/toast.tsx'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { useSession } from '../../session/session-context.tsx'
import { isAllYanked, isDeprecated } from './fit.ts'
import styles from './marks.module.css'
import { Quarantine } from './quarantine.tsx'

interface MarksProps {
  shown: Shown
  canChange: boolean
  onChanged: () => void
}

/** What sets a package apart from others, and how those who may change it do so. */
export function Marks({ shown, canChange, onChanged }: MarksProps) {
  const isPrivate = shown.visibility === 'private'
  const isMarked = isPrivate || isDeprecated(shown) || isAllYanked(shown) || !shown.is_listed
  const { session } = useSession()
  const isAdministrator = session.state === 'known' && session.person?.is_admin === true
  const isQuarantined = shown.quarantine !== null
  if (!isMarked && !canChange && !isQuarantined && !isAdministrator) return null
  return (
    <div className={styles.marks}>
      {isPrivate && (
        <Notice title="This package is private">
          Only those who may read packages of {shown.owner} see it. It is in their private feed, and in no
          search.
        </Notice>
      )}
      {isDeprecated(shown) && (
        <Notice title="This package is deprecated" tone="warning">
          Its author no longer recommends any version. Look for another package before you install it.
        </Notice>
      )}
      {isAllYanked(shown) && (
        <Notice title="Every version is yanked" tone="warning">
          No version of this package is offered anymore. A version can still be installed by its number.
        </Notice>
      )}
      {isQuarantined && <Quarantine shown={shown} isAdministrator={isAdministrator} onChanged={onChanged} />}
      {!shown.is_listed && !isQuarantined && (
        <Notice
          title="This package is delisted"
          tone="warning"
          {...(canChange ? { action: <ListAgain shown={shown} onChanged={onChanged} /> } : {})}
        >
          It is in no feed and in no search. Whoever knows its archives can still download them.
        </Notice>
      )}
      {!isQuarantined && ((shown.is_listed && canChange) || isAdministrator) && (
        <div className={styles.actions}>
          {shown.is_listed && canChange && <Delist shown={shown} onChanged={onChanged} />}
          <Quarantine shown={shown} isAdministrator={isAdministrator} onChanged={onChanged} />
        </div>
      )}
    </div>
  )
}

type ChangeProps = Omit<MarksProps, 'canChange'>

function useListing({ shown, onChanged }: ChangeProps, isListed: boolean, done: string) {
  const { change } = useSession()
  return async () => {
    const { owner, identifier } = shown
    await change(patchPackage, { params: { owner, identifier }, body: { is_listed: isListed } })
    notify({ title: done })
    onChanged()
  }
}

function Delist(props: ChangeProps) {
  const delist = useListing(props, false, 'The package is delisted.')
  return (
    <ConfirmButton
      label="Delist the package"
      question={`Delist ${props.shown.identifier}?`}
      confirmLabel="Delist it"
      cancelLabel="Keep it listed"
      confirm={delist}
    >
      It leaves every feed and the search within seconds. Nothing is deleted: whoever has installed it keeps
      it, and you can list it again.
    </ConfirmButton>
  )
}

function ListAgain(props: ChangeProps) {
  const list = useListing(props, true, 'The package is listed again.')
  return (
    <ConfirmButton
      label="List it again"
      question={`List ${props.shown.identifier} again?`}
      confirmLabel="List it"
      cancelLabel="Keep it delisted"
      confirmVariant="primary"
      confirm={list}
    >
      It comes back with all its versions into the feeds, and into the search if it is public.
    </ConfirmButton>
  )
}
