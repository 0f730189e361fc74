import type { PackageSummary } from '@patchbay/contracts/registry'
import { Badge } from '../../components/badge.tsx'
import { Link } from '../../components/link.tsx'
import { PackageIcon } from '../package-icon.tsx'
import { PackageLink } from '../package-link.tsx'
import { StatusBadge } from '../status-badge.tsx'
import { platformsInWords, runtimeInWords, TYPE_NAMES, toolRangeInWords } from '../words.ts'
import styles from './package-card.module.css'
import { words } from './words.tsx'

/** One result: enough to choose by. All of it leads to the package. */
export function PackageCard({ found }: { found: PackageSummary }) {
  const { identifier, owner, name, description, type, latest } = found
  return (
    <article className={styles.card}>
      <PackageIcon address={found.icon_url} type={type} />
      <div className={styles.text}>
        <h3 className={styles.name}>
          <PackageLink identifier={identifier}>
            <bdi>{name}</bdi>
          </PackageLink>
        </h3>
        <p className={styles.owner}>
          {words.card.by(
            <Link href={`/publishers/${owner}`} variant="inline">
              {owner}
            </Link>,
          )}
        </p>
        <p className={styles.description}>
          <bdi>{description}</bdi>
        </p>
        <ul className={styles.facts}>
          <li>
            <Badge>{TYPE_NAMES[type]}</Badge>
          </li>
          {latest === null ? (
            <li>{words.card.noVersion}</li>
          ) : (
            <>
              <li>
                <code>{latest.version}</code> <StatusBadge status={latest.status} />
              </li>
              <li>{toolRangeInWords(latest)}</li>
              <li>{platformsInWords(latest.platforms)}</li>
              {latest.runtime !== null && <li>{runtimeInWords(latest.runtime)}</li>}
            </>
          )}
        </ul>
      </div>
    </article>
  )
}
