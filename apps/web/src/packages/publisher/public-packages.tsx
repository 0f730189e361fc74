import { Button } from '../../components/button.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { PackageCard } from '../catalog/package-card.tsx'
import { usePackageSearch } from '../catalog/use-package-search.ts'
import styles from './publisher.module.css'

/** What strangers see of an owner: the same cards as in the catalog. */
export function PublicPackages({ owner }: { owner: string }) {
  const { answer, reload, more } = usePackageSearch({ owner })
  if (answer.state === 'loading') return <Skeleton label="Loading packages" lines={4} />
  if (answer.state === 'failed') return <FailureNotice error={answer.error} retry={reload} />
  if (answer.value.items.length === 0) return <p className={styles.empty}>{owner} has no public packages.</p>
  return (
    <>
      <ul aria-label={`Packages of ${owner}`} className={styles.cards}>
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
            More packages
          </Button>
        </div>
      )}
    </>
  )
}
