import type { Provenance } from '@patchbay/contracts/core'
import type { PublishedVersion, PackagePage as Shown } from '@patchbay/contracts/registry'
import { Download } from 'lucide-react'
import { useRef } from 'react'
import { Badge } from '../../components/badge.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Lamp } from '../../components/lamp.tsx'
import { Link } from '../../components/link.tsx'
import { sizeInWords } from '../../parts/size-words.ts'
import { useLostFocus } from '../../parts/use-lost-focus.ts'
import { When } from '../../time/when.tsx'
import { ownPath } from '../own-path.ts'
import { StatusBadge } from '../status-badge.tsx'
import { platformsInWords, runtimeInWords, toolRangeInWords } from '../words.ts'
import { ChangeStatus } from './change-status.tsx'
import { CopyHash } from './copy-hash.tsx'
import { isOffered, reasonsAgainst } from './fit.ts'
import type { ChosenTarget } from './target.ts'
import styles from './versions.module.css'
import { Withdraw } from './withdraw.tsx'
import { words } from './words.tsx'

interface VersionsProps {
  shown: Shown
  target: ChosenTarget
  canChange: boolean
  onChanged: () => void
}

export function Versions({ shown, target, canChange, onChanged }: VersionsProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const lostFocus = useLostFocus(heading)
  return (
    <section {...lostFocus} aria-labelledby="versions" className={styles.versions}>
      <h2 ref={heading} id="versions" tabIndex={-1} className={styles.title}>
        {words.versions.title}
      </h2>
      <DataTable
        caption={words.versions.caption(shown.identifier)}
        isWide
        columns={[
          ...WHICH,
          ...(target.toolVersion === '' ? [] : [fitColumn(shown, target)]),
          ...WHAT,
          ...(canChange ? [changeColumn(shown, onChanged)] : []),
        ]}
        rows={shown.versions}
        rowKey={({ version }) => version}
        empty={words.versions.none}
      />
    </section>
  )
}

const WHICH: readonly Column<PublishedVersion>[] = [
  {
    id: 'version',
    header: words.versions.headers.version,
    cell: ({ version, status, yanked }) => (
      <>
        <span className={styles.version}>
          <code>{version}</code> <StatusBadge status={status} />
          {yanked !== null && <Badge tone="danger">{words.versions.yanked}</Badge>}
        </span>
        {yanked !== null && yanked.reason !== '' && <bdi className={styles.reason}>{yanked.reason}</bdi>}
      </>
    ),
  },
  {
    id: 'runs-on',
    header: words.versions.headers.worksWith,
    cell: (version) => (
      <>
        {toolRangeInWords(version)}
        <span className={styles.small}>{platformsInWords(version.platforms)}</span>
        {version.runtime !== null && <span className={styles.small}>{runtimeInWords(version.runtime)}</span>}
      </>
    ),
  },
]

const WHAT: readonly Column<PublishedVersion>[] = [
  {
    id: 'published',
    header: words.versions.headers.published,
    cell: ({ published_at, published_by, provenance }) => (
      <>
        <When at={published_at} />
        <span className={styles.small}>{words.versions.by(published_by)}</span>
        {provenance !== null && <Built provenance={provenance} />}
      </>
    ),
  },
  {
    id: 'size',
    header: words.versions.headers.size,
    cell: ({ download_size, install_size }) => (
      <>
        {sizeInWords(download_size)}
        <span className={styles.small}>{words.versions.installed(sizeInWords(install_size))}</span>
      </>
    ),
  },
  {
    id: 'sha256',
    header: words.versions.headers.hash,
    cell: ({ version, download_sha256 }) => <CopyHash version={version} hash={download_sha256} />,
  },
  {
    id: 'download',
    header: words.versions.headers.archive,
    cell: ({ version, download_url }) => (
      <ButtonLink
        href={ownPath(download_url)}
        download
        size="sm"
        aria-label={words.versions.downloadVersion(version)}
        icon={<Download aria-hidden />}
      >
        {words.versions.download}
      </ButtonLink>
    ),
  },
]

/** The CI service has signed what stands here; its own page of the run has the rest. */
function Built({ provenance }: { provenance: Provenance }) {
  const { service, repository, commit, run_url } = provenance
  return (
    <span className={styles.small}>
      {words.versions.builtFrom(service)} <Link href={run_url}>{repository}</Link>{' '}
      <code>{words.versions.commit(commit.slice(0, 7))}</code>
    </span>
  )
}

function fitColumn({ type }: Shown, target: ChosenTarget): Column<PublishedVersion> {
  return {
    id: 'fits',
    header: words.versions.headers.fit,
    cell: (version) => <Fit reasons={reasonsAgainst(type, version, target)} isYanked={!isOffered(version)} />,
  }
}

function changeColumn(shown: Shown, onChanged: () => void): Column<PublishedVersion> {
  return {
    id: 'change',
    header: words.versions.headers.change,
    cell: (version) => (
      <div className={styles.changes}>
        <ChangeStatus shown={shown} version={version} onChanged={onChanged} />
        <Withdraw shown={shown} version={version} onChanged={onChanged} />
      </div>
    ),
  }
}

function Fit({ reasons, isYanked }: { reasons: readonly string[]; isYanked: boolean }) {
  if (isYanked) return <Lamp state="warning" label={words.versions.notOffered} />
  if (reasons.length === 0) return <Lamp state="ok" label={words.versions.fits} />
  return (
    <>
      <Lamp state="warning" label={words.versions.doesNotFit} />
      {reasons.map((reason) => (
        <span key={reason} className={styles.small}>
          {reason}
        </span>
      ))}
    </>
  )
}
