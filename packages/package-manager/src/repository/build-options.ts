import type { Contact } from '@patchbay/package-format'
import type { SignedFile } from '@patchbay/package-trust/signing'

export interface BuildOptions {
  /** Holds archives (`*.zip`) and package folders (those with a `metadata.json`), also in folders below. */
  readonly folder: string
  /** Neither inside `folder` nor around it. */
  readonly out: string
  readonly name: string
  /** Where `out` will be found. */
  readonly baseUrl: string
  readonly maintainer?: Contact
  /** The word in `<brand>_version`. Default: the neutral one. */
  readonly brand?: string
  /** The output that this one continues. Default: what is in `out`. */
  readonly previous?: string
  /** Of what has changed, in seconds since 1970. Default: now. */
  readonly timestamp?: number | undefined
  /** Takes other bytes for a version that was published. Whoever has it already will not notice. */
  readonly allowReplaced?: boolean
  /** Takes an empty folder where packages were published: all of them go from the output. */
  readonly allowEmpty?: boolean
  readonly trust?: BuildTrust
  /** Milliseconds since 1970. */
  readonly now?: () => number
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: BuildProgress) => void
}

export interface BuildTrust {
  /** Every root of the repository, `1.root.json` and the following. */
  readonly roots: readonly SignedFile[]
  /** Private keys in PEM. */
  readonly keys: { readonly targets: readonly string[]; readonly online: readonly string[] }
  /** How long the signatures hold. */
  readonly lifetimeDays?: number
}

export interface BuildProgress {
  readonly done: number
  readonly total: number
  /** What is being read, relative to the folder. */
  readonly source: string
}

export interface BuildResult {
  readonly packages: number
  readonly versions: number
  /** Files of `out` that were written, relative to it. */
  readonly written: readonly string[]
  readonly unchanged: readonly string[]
  readonly removed: readonly string[]
  /** What does not stop anybody, for the author to know. */
  readonly warnings: readonly string[]
}
