import type { PackagePage as Shown } from '@patchbay/contracts/registry'
import { useState } from 'react'
import { CopyField } from '../../components/copy-field.tsx'
import { Link } from '../../components/link.tsx'
import { FeedAddresses } from '../feed-addresses.tsx'
import { brandsToAdd, type Feed, installCommand } from '../feeds.ts'
import { useOwnerAccess } from '../use-owner-access.ts'
import { FitPanel } from './fit-panel.tsx'
import { Marks } from './marks.tsx'
import styles from './package-details.module.css'
import { PackageFacts } from './package-facts.tsx'
import { readTarget, rememberTarget } from './target.ts'
import { Versions } from './versions.tsx'
import { words } from './words.tsx'

interface PackageDetailsProps {
  shown: Shown
  onChanged: () => void
}

export function PackageDetails({ shown, onChanged }: PackageDetailsProps) {
  const access = useOwnerAccess(shown.owner)
  const [target, setTarget] = useState(readTarget)
  return (
    <>
      <Marks shown={shown} canChange={access === 'write'} onChanged={onChanged} />
      <div className={styles.columns}>
        <section aria-labelledby="about" className={styles.about}>
          <h2 id="about" className={styles.title}>
            {words.about}
          </h2>
          <p className={styles.description}>
            <bdi>{shown.description_full}</bdi>
          </p>
        </section>
        <section aria-labelledby="install" className={styles.install}>
          <h2 id="install" className={styles.title}>
            {shown.is_listed ? words.install.title : words.install.titleOfDelisted}
          </h2>
          <FitPanel
            shown={shown}
            target={target}
            choose={(chosen) => {
              setTarget(chosen)
              rememberTarget(chosen)
            }}
          />
          {shown.is_listed && (
            <CopyField label={words.install.commandLine} value={installCommand(shown.identifier)} />
          )}
          {shown.visibility === 'private' ? (
            <FeedAddresses
              name={words.install.privateAddress}
              feeds={feedsToAdd(shown)}
              how={<PrivateFeedHelp owner={shown.owner} />}
            />
          ) : (
            <FeedAddresses name={words.install.address} feeds={feedsToAdd(shown)} />
          )}
        </section>
        <section aria-labelledby="details" className={styles.about}>
          <h2 id="details" className={styles.title}>
            {words.details}
          </h2>
          <PackageFacts shown={shown} />
        </section>
      </div>
      <Versions shown={shown} target={target} canChange={access === 'write'} onChanged={onChanged} />
    </>
  )
}

/** For each design tool the first feed that carries the package. None carries a delisted one. */
function feedsToAdd({ feeds, is_listed }: Shown): Feed[] {
  if (!is_listed) return []
  const brands = brandsToAdd(feeds.map(({ brand }) => brand))
  return brands.flatMap((brand) => feeds.find((feed) => feed.brand === brand) ?? [])
}

/** How a feed is read that is not for everybody. */
function PrivateFeedHelp({ owner }: { owner: string }) {
  return words.install.privateFeed(owner, <Link href="/account#api-keys">{words.install.apiKeys}</Link>)
}
