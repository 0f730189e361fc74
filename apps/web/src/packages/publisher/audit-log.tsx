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
import { words } from './words.tsx'

const ICONS: Readonly<Record<AuditEntry['action'], LucideIcon>> = {
  published: Upload,
  imported: CloudDownload,
  status_changed: Tag,
  delisted: ArchiveX,
  listed: ArchiveRestore,
  yanked: CircleSlash,
  unyanked: Undo2,
  deleted: Trash2,
  quarantined: ShieldAlert,
  released: ShieldCheck,
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
        label={words.audit.label(owner)}
        answer={answer}
        reload={reload}
        empty={words.audit.none}
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
            {words.audit.more}
          </Button>
        </div>
      )}
    </>
  )
}

function AuditedChange({ entry }: { entry: AuditEntry }) {
  const Icon = ICONS[entry.action]
  return (
    <Entry
      icon={<Icon aria-hidden />}
      title={words.audit.change(
        entry.actor,
        words.audit.verbs[entry.action],
        <>
          <PackageLink identifier={entry.identifier}>{entry.identifier}</PackageLink>
          {entry.version !== null && ` ${entry.version}`}
        </>,
      )}
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
  if (credential === 'browser') return words.audit.inBrowser
  if (credential === 'application') return words.audit.withApplication
  return credential.startsWith('api_key')
    ? words.audit.withApiKey(credential.slice('api_key'.length))
    : credential
}

/** Of a hash the beginning is enough to find the version by. */
function detailInWords(detail: string): string {
  const [, hash = '', source] = /^([0-9a-f]{64})(?: from (.+))?$/.exec(detail) ?? []
  if (hash === '') return detail
  const beginning = hash.slice(0, 12)
  return source === undefined ? words.audit.hash(beginning) : words.audit.hashFrom(beginning, source)
}
