import type { PackageType, Platform, Runtime, VersionStatus } from '@patchbay/package-format'
import type { PackageOffer } from '@patchbay/package-manager'

/** What a person looks for. */
export interface Wish {
  readonly words: string
  readonly type?: PackageType
  readonly platform?: Platform
  readonly runtime?: Runtime
  readonly toolVersion?: string
  readonly status?: VersionStatus
  readonly limit: number
}

/** One package that fits. */
export interface Hit {
  readonly identifier: string
  readonly name: string
  readonly description: string
  readonly type: string
  readonly version: string | null
  readonly status: string | null
  /** The name of the source. */
  readonly source: string
}

export interface Hits {
  readonly hits: readonly Hit[]
  readonly hasMore: boolean
}

/** A server or a repository, as somebody who installs sees it. */
export interface PackageSource {
  readonly name: string
  readonly url: string
  /** Fails unless it answers, with what is demanded of it. */
  check(): Promise<void>
  find(identifier: string): Promise<PackageOffer | undefined>
  search(wish: Wish): Promise<Hits>
  /** Identifiers that could be meant. */
  listNear(identifier: string): Promise<readonly string[]>
}
