import type { Package, PackageVersion } from '@patchbay/package-format'

/** Where packages come from. */
export interface InstallSource {
  /** `undefined` when nobody offers it. */
  find(identifier: string): Promise<PackageOffer | undefined>
}

export interface PackageOffer {
  /** In the neutral dialect. */
  readonly package: Package
  /** The name of the repository that offers it. */
  readonly repository: string
  /** The address of that repository. Updates come from there alone, unless somebody asks for another one. */
  readonly origin?: string
  open(version: PackageVersion, options: OpenOptions): Promise<ArchiveStream>
}

export interface OpenOptions {
  readonly signal?: AbortSignal
  /** The caller takes an archive that the index gives no hash for. */
  readonly allowUnverified?: boolean
}

export interface ArchiveStream {
  /**
   * A piece may be reused for the next one once that is asked for. It is not read at once: whoever gives the body of a
   * fetch must hold on to its response, or the body ends early when the response is collected.
   */
  readonly stream: AsyncIterable<Uint8Array>
  /** Only for progress; what counts is the index. */
  readonly size?: number
}
