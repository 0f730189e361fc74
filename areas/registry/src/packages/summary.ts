import type { PackageSummary, Visibility } from '@patchbay/contracts/registry'
import type { PackageType, VersionStatus } from '@patchbay/package-format'
import type { RegistrySettings } from '../deps.ts'
import { iconUrl } from '../files/addresses.ts'
import { compatibilityOf } from './version-metadata.ts'

export interface StoredSummary {
  readonly identifier: string
  readonly owner: string
  readonly name: string
  readonly description: string
  readonly type: PackageType
  readonly author: string
  readonly license: string
  readonly tags: readonly string[]
  readonly icon_sha256: string | null
  readonly visibility: Visibility
  readonly version: string | null
  readonly status: VersionStatus | null
  readonly version_metadata: Readonly<Record<string, unknown>> | null
  readonly published_at: Date | null
}

export function presentSummary(
  settings: Pick<RegistrySettings, 'publicUrl'>,
  { icon_sha256, version, status, version_metadata, published_at, tags, ...summary }: StoredSummary,
): PackageSummary {
  return {
    ...summary,
    tags: [...tags],
    icon_url: icon_sha256 === null ? null : iconUrl(settings.publicUrl, icon_sha256),
    latest:
      version === null || status === null || version_metadata === null || published_at === null
        ? null
        : {
            version,
            status,
            ...compatibilityOf(summary.type, version_metadata),
            published_at: published_at.toISOString(),
          },
  }
}
