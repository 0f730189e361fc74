import type { Package, PackageVersion } from '@patchbay/package-format'
import type { Finding } from '@patchbay/package-format/validate'
import type { RepositoryFailure } from './failure.ts'
import type { ClientLimits } from './limits.ts'

/** A repository as somebody configures it. */
export interface RepositorySource {
  /** Of repository.json: http, https or file. */
  readonly url: string
  /** For private repositories. Sent to the origin of the address alone. */
  readonly apiKey?: string
  /** The word in `<brand>_version`. Default: the neutral one. */
  readonly brand?: string
  /** Default: `none`. */
  readonly trust?: 'none' | TrustSource
}

/** Whose signatures count. */
export interface TrustSource {
  /**
   * A root file that came another way; or the first one that the server shows, from then on. That one is kept in
   * `trustFolder` once a whole refresh has succeeded with it.
   */
  readonly root: 'pin-on-first-use' | { readonly path: string }
  /** Default: `tuf/` beside repository.json. */
  readonly metadataUrl?: string
  /** What the signatures call repository.json. Default: its address relative to the folder that holds the metadata. */
  readonly targetPath?: string
}

export interface RepositoryDeps {
  /** May be deleted at any time. */
  readonly cacheFolder: string
  /**
   * Where roots are kept that were pinned at first use. Default: beside the cache, under its name with `-pins`. It
   * belongs with settings: whoever deletes it trusts the next root that a server shows, and is shown its hash again.
   */
  readonly trustFolder?: string
  readonly fetch?: typeof globalThis.fetch
  /** Milliseconds since 1970. */
  readonly now?: () => number
  readonly limits?: Partial<ClientLimits>
}

export type RefreshStep = 'repository' | 'packages' | 'resources'

export interface RefreshProgress {
  readonly step: RefreshStep
  readonly bytes: number
  readonly total: number | undefined
}

export interface ReadOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: RefreshProgress) => void
}

export interface RefreshOptions extends ReadOptions {
  /** Takes a state that is older than the cached one. Signed repositories never go back. */
  readonly allowOlder?: boolean
}

export interface QuarantinedPackage {
  readonly identifier?: string
  readonly findings: readonly Finding[]
}

/** What a repository offered at one moment. */
export interface Snapshot {
  readonly url: string
  readonly name: string
  /** In the neutral dialect. */
  readonly packages: readonly Package[]
  /** What cannot be used, and why. It never stops the rest. */
  readonly quarantined: readonly QuarantinedPackage[]
  /** About repository.json; warnings only. */
  readonly findings: readonly Finding[]
  /** The repository could not be asked: this is what it said at `fetchedAt`. */
  readonly fromCache: boolean
  /** Why it could not be asked, or why it must not be used. */
  readonly failure?: RepositoryFailure
  readonly fetchedAt: Date
  /** Seconds since 1970, as the repository says. */
  readonly updateTimestamp: number
  readonly isSigned: boolean
  /** The root was taken on trust and kept by this very refresh: a person may want to compare its hash. */
  readonly pinnedRoot?: { readonly sha256: string }
}

export interface DownloadOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: { readonly bytes: number; readonly total: number | undefined }) => void
  /** Takes an archive for which the repository gives no hash. */
  readonly allowUnhashed?: boolean
  /** The caller compares the hash itself while writing: hashing twice would halve the speed. */
  readonly isHashedByCaller?: boolean
}

export interface ArchiveDownload {
  readonly url: string
  readonly sha256: string | undefined
  readonly size: number | undefined
  /** Fails at its end unless size and hash are those of the repository. What was read before must not be used then. */
  readonly stream: AsyncIterable<Uint8Array>
}

export interface RepositoryClient {
  readonly url: string
  refresh(options?: RefreshOptions): Promise<Snapshot>
  /** What is cached, without asking anybody. */
  readCached(): Promise<Snapshot | undefined>
  /** From resources.zip, which is read on demand. */
  readIcons(options?: ReadOptions): Promise<ReadonlyMap<string, Uint8Array>>
  openDownload(version: PackageVersion, options?: DownloadOptions): Promise<ArchiveDownload>
}
