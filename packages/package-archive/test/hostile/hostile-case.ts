import type { ArchiveLimits, ArchiveRefusal } from '../../src/index.ts'

/** An archive that must be refused, and why. */
export interface HostileCase {
  readonly title: string
  readonly reason: ArchiveRefusal
  readonly bytes: () => Buffer
  readonly limits?: Partial<ArchiveLimits>
}
