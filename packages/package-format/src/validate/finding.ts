import type { Package } from '../package.ts'

export interface ValidateOptions {
  /** The word in `<brand>_version`. Default: the neutral one. */
  readonly brand?: string
  /** `strict`: URLs as the contract words them. `compat`: as existing tools check them. Default: strict. */
  readonly urls?: 'strict' | 'compat'
}

export interface TextOptions extends ValidateOptions {
  /**
   * What else is wrong with a package that is valid so far, such as `findPublishFaults`; it is asked in the neutral
   * dialect. Not built in: it would bring its library to everybody.
   */
  readonly findMore?: (value: unknown) => readonly Finding[]
}

/** One thing that is wrong, for a person to act on. */
export interface Finding {
  /** JSON pointer into the document. */
  readonly pointer: string
  /** Counted from 1. Where only a value was given, there is no text to point into. */
  readonly line?: number
  /** Counted from 1. */
  readonly column?: number
  readonly message: string
  /** Only errors make a document invalid. */
  readonly severity: 'error' | 'warning'
  /** Stable, for programs. */
  readonly code: string
}

export type DocumentKind = 'package' | 'package-array' | 'repository'

export interface Report {
  readonly kind: DocumentKind | undefined
  readonly isValid: boolean
  /** Of the document itself; those of packages are with the packages. */
  readonly findings: readonly Finding[]
  readonly packages: readonly PackageReport[]
}

export interface PackageReport {
  readonly index: number
  readonly identifier?: string
  readonly isValid: boolean
  readonly findings: readonly Finding[]
  /** In the neutral dialect, when valid. */
  readonly value?: Package
}
