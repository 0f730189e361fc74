import type { PackagePage as Shown } from '@patchbay/contracts/registry'
import { Badge } from '../../components/badge.tsx'
import { Link } from '../../components/link.tsx'
import { useDocumentTitle } from '../../shell/page.tsx'
import { PackageIcon } from '../package-icon.tsx'
import { TYPE_NAMES } from '../words.ts'
import { isDeprecated } from './fit.ts'
import styles from './package-header.module.css'
import { words } from './words.tsx'

interface PackageHeaderProps {
  identifier: string
  /** Undefined until it is known. */
  shown: Shown | undefined
  isMissing: boolean
}

export function PackageHeader({ identifier, shown, isMissing }: PackageHeaderProps) {
  const title = isMissing ? words.missing.title : (shown?.name ?? identifier)
  useDocumentTitle(title)
  return (
    <header className={styles.header}>
      <p className={styles.legend}>
        <Link href="/packages">{words.header.allPackages}</Link>
      </p>
      <div className={styles.row}>
        {shown !== undefined && <PackageIcon address={shown.icon_url} type={shown.type} size="lg" />}
        <div className={styles.words}>
          <h1 tabIndex={-1} className={styles.heading}>
            <bdi>{title}</bdi>
          </h1>
          <p className={styles.identifier}>
            <code>{identifier}</code>
            {shown !== undefined && (
              <> {words.header.by(<Link href={`/publishers/${shown.owner}`}>{shown.owner}</Link>)}</>
            )}
          </p>
        </div>
      </div>
      {shown !== undefined && (
        <>
          <p className={styles.lead}>
            <bdi>{shown.description}</bdi>
          </p>
          <p className={styles.marks}>
            <Badge>{TYPE_NAMES[shown.type]}</Badge>
            {shown.visibility === 'private' && <Badge tone="info">{words.header.private}</Badge>}
            {isDeprecated(shown) && <Badge tone="warning">{words.header.deprecated}</Badge>}
            {shown.quarantine !== null && <Badge tone="danger">{words.header.quarantined}</Badge>}
            {!shown.is_listed && shown.quarantine === null && (
              <Badge tone="warning">{words.header.delisted}</Badge>
            )}
          </p>
        </>
      )}
    </header>
  )
}
