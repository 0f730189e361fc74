import type { Finding } from '@patchbay/package-format/validate'

/** What was found in one file. */
export interface FileReport {
  /** As it was named. */
  readonly file: string
  /** Where the findings are, if that is a file inside it. */
  readonly inside?: string
  readonly kind: string
  readonly isValid: boolean
  readonly packages: number
  readonly invalidPackages: number
  readonly findings: readonly Finding[]
}
