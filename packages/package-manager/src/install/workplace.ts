import type { ArchiveLimits } from '@patchbay/package-archive'
import type { Target } from '@patchbay/package-format'
import type { InstallSource } from './install-source.ts'
import type { Layout } from './layout.ts'

/** Called between any two changes of the disk. Tests crash here. */
export type Step = (name: string) => Promise<void> | void

/** What every operation works with. */
export interface Workplace {
  readonly layout: Layout
  readonly target: Target
  readonly source: InstallSource
  /** Spellings that the metadata in archives may use beside the neutral one. */
  readonly brands: readonly string[]
  readonly limits: Partial<ArchiveLimits>
  /** Wall time in milliseconds. */
  readonly now: () => number
  readonly step: Step
  /** Something that a person should know, in a sentence. */
  readonly notify: (message: string) => void
}
