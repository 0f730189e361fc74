import { patchPackage, type PackagePage as Shown } from '@patchbay/contracts/registry'
import { Notice } from '../../components/notice.tsx'
import { notify } from '../../components/toast.tsx'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { useSession } from '../../session/session-context.tsx'
import { isAllYanked, isDeprecated } from './fit.ts'
import styles from './marks.module.css'
import { Quarantine } from './quarantine.tsx'
import { words } from './words.tsx'

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
        <Notice title={words.marks.private.title}>{words.marks.private.text(shown.owner)}</Notice>
      )}
      {isDeprecated(shown) && (
        <Notice title={words.marks.deprecated.title} tone="warning">
          {words.marks.deprecated.text}
        </Notice>
      )}
      {isAllYanked(shown) && (
        <Notice title={words.marks.yanked.title} tone="warning">
          {words.marks.yanked.text}
        </Notice>
      )}
      {isQuarantined && <Quarantine shown={shown} isAdministrator={isAdministrator} onChanged={onChanged} />}
      {!shown.is_listed && !isQuarantined && (
        <Notice
          title={words.marks.delisted.title}
          tone="warning"
          {...(canChange ? { action: <ListAgain shown={shown} onChanged={onChanged} /> } : {})}
        >
          {words.marks.delisted.text}
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
  const delist = useListing(props, false, words.delist.done)
  return (
    <ConfirmButton
      label={words.delist.label}
      question={words.delist.question(props.shown.identifier)}
      confirmLabel={words.delist.confirm}
      cancelLabel={words.delist.cancel}
      confirm={delist}
    >
      {words.delist.text}
    </ConfirmButton>
  )
}

function ListAgain(props: ChangeProps) {
  const list = useListing(props, true, words.listAgain.done)
  return (
    <ConfirmButton
      label={words.listAgain.label}
      question={words.listAgain.question(props.shown.identifier)}
      confirmLabel={words.listAgain.confirm}
      cancelLabel={words.listAgain.cancel}
      confirmVariant="primary"
      confirm={list}
    >
      {words.listAgain.text}
    </ConfirmButton>
  )
}
