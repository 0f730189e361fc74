import { Package } from 'lucide-react'
import { useCallback } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Entries, Entry } from '../../parts/entries.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useList } from '../../session/use-list.ts'
import { When } from '../../time/when.tsx'
import { PackageLink } from '../package-link.tsx'
import { fetchOwnedPackages, type OwnedPackage } from '../packages.api.ts'
import { words } from './words.tsx'

export function OwnedPackages({ owner }: { owner: string }) {
  const load = useCallback(
    (signal?: AbortSignal, cursor?: string) => fetchOwnedPackages(owner, signal, cursor),
    [owner],
  )
  const { answer, reload, more } = useList(load)
  return (
    <>
      <Entries
        label={words.ownedPackages.label(owner)}
        answer={answer}
        reload={reload}
        empty={words.ownedPackages.none}
        keyOf={({ identifier }) => identifier}
      >
        {(owned) => <OwnedEntry owned={owned} />}
      </Entries>
      {more !== undefined && (
        <div>
          <FailureNotice error={more.error} />
          <Button isPending={more.isPending} onPress={() => more.run()}>
            {words.ownedPackages.more}
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
          {owned.visibility === 'private' && <Badge tone="info">{words.ownedPackages.private}</Badge>}
          {!owned.is_listed && <Badge tone="warning">{words.ownedPackages.delisted}</Badge>}
        </>
      }
      facts={[
        <code key="identifier">{owned.identifier}</code>,
        owned.latest_version === null
          ? words.ownedPackages.noVersion
          : words.ownedPackages.latest(owned.latest_version),
        words.ownedPackages.versions(owned.versions),
        words.ownedPackages.changed(<When key="changed" at={owned.updated_at} />),
      ]}
    />
  )
}
