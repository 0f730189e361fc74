import type { Contact } from './package.ts'

/** Where a repository's files are, and when each one changed. */
export interface Repository {
  readonly name: string
  readonly packages: RepositoryResource
  readonly resources?: RepositoryResource
  readonly manifests?: RepositoryResource
  readonly maintainer?: Contact
  readonly $schema?: string
  readonly [unknown: string]: unknown
}

export interface RepositoryResource {
  readonly url: string
  readonly sha256?: string
  /** Seconds since 1970. */
  readonly update_timestamp: number
  /** The same moment for people: `2026-01-31 18:00:00`, in UTC. */
  readonly update_time_utc?: string
  readonly [unknown: string]: unknown
}
