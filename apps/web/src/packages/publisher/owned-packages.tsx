import { Package } from 'lucide-react'
import { useCallback } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Entries, Entry } from '../../parts/entries.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useList } from '../../session/use-list.ts'
import { When } from '../../time/when.tsx'
import { countOf } from '../../time/words.ts'
import { PackageLink } from '../package-link.tsx'
import { fetchOwnedPackages, type OwnedPackage } from '../packages.api.ts'

export function OwnedPackages({ owner }: { owner: string }) {
  const load = useCallback(
    (signal?: AbortSignal, cursor?: string) => fetchOwnedPackages(owner, signal, cursor),
    [owner],
  )
  const { answer, reload, more } = useList(load)
  return (
    <>
      <Entries
        label={`All packages of ${owner}`}
        answer={answer}
        reload={reload}
        empty="No packages yet. Publish the first one: a zip file with metadata.json in it."
        keyOf={({ identifier }) => identifier}
      >
        {(owned) => <OwnedEntry owned={owned} />}
      </Entries>
      {more !== undefined && (
        <div>
          <FailureNotice error={more.error} />
          <Button isPending={more.isPending} onPress={() => more.run()}>
            Show more packages
          </Button>
        </div>
      )}
    </>
  )
}

function OwnedEntry({ owned }: { owned: OwnedPackage }) {
  return (
    <Entry
      icon={<Package aria-hidden />}
      title={
        <PackageLink identifier={owned.identifier}>
          <bdi>{owned.name}</bdi>
        </PackageLink>
      }
      badges={
        <>
          {owned.visibility === 'private' && <Badge tone="info">Private</Badge>}
          {!owned.is_listed && <Badge tone="warning">Delisted</Badge>}
        </>
      }
      facts={[
        <code key="identifier">{owned.identifier}</code>,
        owned.latest_version === null ? 'No version' : `Latest ${owned.latest_version}`,
        countOf(owned.versions, 'version'),
        <>
          Changed <When at={owned.updated_at} />
        </>,
      ]}
    />
  )
}
