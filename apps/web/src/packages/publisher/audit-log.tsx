import type { AuditEntry } from '@patchbay/contracts/registry'
import {
  ArchiveRestore,
  ArchiveX,
  CircleSlash,
  CloudDownload,
  type LucideIcon,
  ShieldAlert,
  ShieldCheck,
  Tag,
  Trash2,
  Undo2,
  Upload,
} from 'lucide-react'
import { useCallback } from 'react'
import { Button } from '../../components/button.tsx'
import { Entries, Entry } from '../../parts/entries.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { useList } from '../../session/use-list.ts'
import { When } from '../../time/when.tsx'
import { PackageLink } from '../package-link.tsx'
import { fetchAudit } from '../packages.api.ts'

const ACTIONS: Readonly<Record<AuditEntry['action'], { readonly verb: string; readonly Icon: LucideIcon }>> =
  {
    published: { verb: 'published', Icon: Upload },
    imported: { verb: 'imported', Icon: CloudDownload },
    status_changed: { verb: 'changed the status of', Icon: Tag },
    delisted: { verb: 'delisted', Icon: ArchiveX },
    listed: { verb: 'listed', Icon: ArchiveRestore },
    yanked: { verb: 'yanked', Icon: CircleSlash },
    unyanked: { verb: 'offered again', Icon: Undo2 },
    deleted: { verb: 'deleted', Icon: Trash2 },
    quarantined: { verb: 'quarantined', Icon: ShieldAlert },
    released: { verb: 'released', Icon: ShieldCheck },
  }

export function AuditLog({ owner }: { owner: string }) {
  const load = useCallback(
    (signal?: AbortSignal, cursor?: string) => fetchAudit(owner, signal, cursor),
    [owner],
  )
  const { answer, reload, more } = useList(load)
  return (
    <>
      <Entries
        label={`Changes to packages of ${owner}`}
        answer={answer}
        reload={reload}
        empty="No activity yet."
        keyOf={({ at, action, identifier, version, detail }) =>
          [at, action, identifier, version, detail].join(' ')
        }
      >
        {(entry) => <AuditedChange entry={entry} />}
      </Entries>
      {more !== undefined && (
        <div>
          <FailureNotice error={more.error} />
          <Button isPending={more.isPending} onPress={() => more.run()}>
            Show older changes
          </Button>
        </div>
      )}
    </>
  )
}

function AuditedChange({ entry }: { entry: AuditEntry }) {
  const { verb, Icon } = ACTIONS[entry.action]
  return (
    <Entry
      icon={<Icon aria-hidden />}
      title={
        <>
          {entry.actor} {verb} <PackageLink identifier={entry.identifier}>{entry.identifier}</PackageLink>
          {entry.version !== null && ` ${entry.version}`}
        </>
      }
      facts={[
        <When key="at" at={entry.at} />,
        credentialInWords(entry.credential),
        ...(entry.detail === '' ? [] : [<bdi key="detail">{detailInWords(entry.detail)}</bdi>]),
      ]}
    />
  )
}

/** How they were known to the server. A key is named by its id, so that it can be found in the list of keys. */
function credentialInWords(credential: string): string {
  if (credential === 'browser') return 'in a browser'
  if (credential === 'application') return 'with an application'
  return credential.startsWith('api_key')
    ? `with the API key${credential.slice('api_key'.length)}`
    : credential
}

/** Of a hash the beginning is enough to find the version by. */
function detailInWords(detail: string): string {
  return /^[0-9a-f]{64}$/.test(detail) ? `SHA-256 ${detail.slice(0, 12)}…` : detail
}
