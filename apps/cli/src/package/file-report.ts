import type { Finding } from '@patchbay/package-format/validate'

/** What was found in one file. */
export interface FileReport {
  readonly file: string
  readonly kind: string
  readonly isValid: boolean
  readonly packages: number
  readonly invalidPackages: number
  readonly findings: readonly Finding[]
}
