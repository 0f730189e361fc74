import { HANDLE_PATTERN } from '@patchbay/contracts/core'
import { HANDLE_LENGTH } from '@patchbay/contracts/limits'
import { useState } from 'react'
import { useParams } from 'react-router'
import { Button } from '../../components/button.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { Link } from '../../components/link.tsx'
import { Notice } from '../../components/notice.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Section } from '../../parts/section.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { Page } from '../../shell/page.tsx'
import { PackageCard } from '../catalog/package-card.tsx'
import { usePackageSearch } from '../catalog/use-package-search.ts'
import { FeedAddresses, OfferedFeeds } from '../feed-addresses.tsx'
import { ownerFeeds } from '../feeds.ts'
import { useOwnerAccess } from '../use-owner-access.ts'
import { AuditLog } from './audit-log.tsx'
import { OwnedPackages } from './owned-packages.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import styles from './publisher.module.css'
import { TrustedPublishers } from './trusted-publishers.tsx'
import { words } from './words.tsx'

const HANDLE = new RegExp(HANDLE_PATTERN, 'u')
const LEGEND = <Link href="/packages">{words.allPackages}</Link>

export function PublisherPage() {
  const { owner = '' } = useParams()
  if (owner.length > HANDLE_LENGTH || !HANDLE.test(owner))
    return (
      <Page title={words.missing.title} legend={LEGEND}>
        <Notice
          title={words.missing.reason}
          tone="warning"
          action={<ButtonLink href="/packages">{words.missing.searchAll}</ButtonLink>}
        >
          {words.missing.text}
        </Notice>
      </Page>
    )
  return <Publisher key={owner} owner={owner} />
}

function Publisher({ owner }: { owner: string }) {
  const access = useOwnerAccess(owner)
  // Counts what was published here: the lists below begin anew with it.
  const [round, setRound] = useState(0)
  const isMember = access === 'read' || access === 'write'
  return (
    <Page title={owner} legend={LEGEND} lead={words.lead(owner)}>
      <OfferedFeeds>
        {({ brands }) => <FeedAddresses name={words.address(owner)} feeds={ownerFeeds(brands, owner)} />}
      </OfferedFeeds>
      {isMember ? (
        <>
          <Section
            id="packages"
            title={words.ownedPackages.title}
            lead={words.ownedPackages.lead}
            action={
              access === 'write' && (
                <PublishDialog owner={owner} onPublished={() => setRound((count) => count + 1)} />
              )
            }
          >
            <OwnedPackages key={round} owner={owner} />
          </Section>
          {access === 'write' && <TrustedPublishers owner={owner} />}
          <Section id="audit" title={words.audit.title} lead={words.audit.lead}>
            <AuditLog key={round} owner={owner} />
          </Section>
        </>
      ) : (
        <Section id="packages" title={words.publicPackages.title} lead={words.publicPackages.lead}>
          <PublicPackages owner={owner} />
        </Section>
      )}
    </Page>
  )
}

/** What strangers see of an owner: the same cards as in the catalog. */
function PublicPackages({ owner }: { owner: string }) {
  const { answer, reload, more } = usePackageSearch({ owner })
  if (answer.state === 'loading') return <Skeleton label={words.publicPackages.loading} lines={4} />
  if (answer.state === 'failed') return <FailureNotice error={answer.error} retry={reload} />
  if (answer.value.items.length === 0)
    return <p className={styles.empty}>{words.publicPackages.none(owner)}</p>
  return (
    <>
      <ul aria-label={words.publicPackages.label(owner)} className={styles.cards}>
        {answer.value.items.map((found) => (
          <li key={found.identifier}>
            <PackageCard found={found} />
          </li>
        ))}
      </ul>
      {more !== undefined && (
        <div>
          <FailureNotice error={more.error} />
          <Button isPending={more.isPending} onPress={() => more.run()}>
            {words.publicPackages.more}
          </Button>
        </div>
      )}
    </>
  )
}
