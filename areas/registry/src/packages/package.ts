import type { Provenance } from '@patchbay/contracts/core'
import type { PackagePage, PublishedVersion, Visibility } from '@patchbay/contracts/registry'
import type { Contact, PackageType, VersionStatus } from '@patchbay/package-format'
import type { RegistrySettings } from '../deps.ts'
import { archiveUrl, feedPath, iconUrl, registryUrl } from '../files/addresses.ts'
import { offeredBrands } from '../index-settings.ts'
import { INSTALLATION } from '../installation.ts'
import { compatibilityOf, textOf } from './version-metadata.ts'

/** Every tool reads all of them at every start. The public package with the most has 188 today. */
export const MAX_VERSIONS = 1_000

type Metadata = Readonly<Record<string, unknown>>
type Settings = Pick<RegistrySettings, 'publicUrl' | 'brands'>

export interface StoredPackage {
  readonly identifier: string
  readonly owner: string
  readonly visibility: Visibility
  readonly is_listed: boolean
  readonly type: PackageType
  readonly metadata: Metadata
  readonly icon_sha256: string | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly quarantined_at: Date | null
  readonly quarantine_reason: string | null
}

export interface StoredVersion {
  readonly version: string
  readonly status: VersionStatus
  readonly metadata: Metadata
  readonly archive_sha256: string
  readonly archive_size: number
  readonly install_size: number
  readonly published_at: Date
  readonly published_by: string
  readonly provenance: Provenance | null
  readonly yanked_at: Date | null
  readonly yank_reason: string | null
  readonly first_downloaded_at: Date | null
}

const DELETABLE_MS = 72 * 3_600_000

/** Whether it can be deleted, if nobody has it yet: a slip need not stay forever. */
export function isYoung(publishedAt: Date, now: Date): boolean {
  return publishedAt.getTime() >= now.getTime() - DELETABLE_MS
}

export function presentPackage(
  settings: Settings,
  found: StoredPackage,
  versions: readonly StoredVersion[],
  now: Date,
): PackagePage {
  const { metadata } = found
  return {
    identifier: found.identifier,
    owner: found.owner,
    visibility: found.visibility,
    is_listed: found.is_listed,
    name: textOf(metadata['name']) ?? '',
    description: textOf(metadata['description']) ?? '',
    description_full: textOf(metadata['description_full']) ?? '',
    type: found.type,
    category: textOf(metadata['category']),
    author: metadata['author'] as Contact,
    maintainer: (metadata['maintainer'] as Contact | undefined) ?? null,
    license: textOf(metadata['license']) ?? '',
    resources: metadata['resources'] as Record<string, string>,
    tags: (metadata['tags'] as string[] | undefined) ?? [],
    icon_url: found.icon_sha256 === null ? null : iconUrl(settings.publicUrl, found.icon_sha256),
    created_at: found.created_at.toISOString(),
    updated_at: found.updated_at.toISOString(),
    quarantine:
      found.quarantined_at === null
        ? null
        : { at: found.quarantined_at.toISOString(), reason: found.quarantine_reason ?? '' },
    versions: versions.map((version) => presentVersion(settings, found, version, now)),
    feeds: feedsOf(settings, found),
  }
}

function presentVersion(
  settings: Settings,
  { identifier, type }: StoredPackage,
  stored: StoredVersion,
  now: Date,
): PublishedVersion {
  const { version, metadata, archive_sha256: archiveSha256 } = stored
  const epoch = metadata['version_epoch']
  return {
    version,
    version_epoch: typeof epoch === 'number' ? epoch : 0,
    status: stored.status,
    ...compatibilityOf(type, metadata),
    download_url: archiveUrl(settings.publicUrl, { identifier, version, archiveSha256 }),
    download_sha256: archiveSha256,
    download_size: stored.archive_size,
    install_size: stored.install_size,
    published_at: stored.published_at.toISOString(),
    published_by: stored.published_by,
    provenance: stored.provenance,
    yanked:
      stored.yanked_at === null
        ? null
        : { at: stored.yanked_at.toISOString(), reason: stored.yank_reason ?? '' },
    is_deletable: stored.first_downloaded_at === null && isYoung(stored.published_at, now),
  }
}

/** The owner's first: the one of the whole installation may be too large to exist. */
function feedsOf(settings: Settings, { owner, visibility }: StoredPackage): PackagePage['feeds'] {
  const feeds = [
    { owner, visibility },
    ...(visibility === 'private' ? [] : [{ owner: INSTALLATION, visibility }]),
  ]
  return offeredBrands(settings).flatMap((brand) =>
    feeds.map((feed) => ({ brand, url: `${registryUrl(settings.publicUrl)}/${feedPath(feed, brand)}` })),
  )
}
