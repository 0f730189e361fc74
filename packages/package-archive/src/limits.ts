/** What an archive may cost whoever opens it. */
export interface ArchiveLimits {
  readonly maxArchiveBytes: number
  /** Of all entries together, inflated. */
  readonly maxInstallBytes: number
  readonly maxEntries: number
  /** Inflated bytes per byte in the archive. */
  readonly maxRatio: number
  readonly maxMetadataBytes: number
  readonly maxIconBytes: number
  /** Of one entry's name, in bytes of UTF-8. */
  readonly maxPathLength: number
}

const MIB = 2 ** 20

/** The largest public package today has 51 MiB, installs 249 MiB, and inflates 21-fold. */
export const ARCHIVE_LIMITS: ArchiveLimits = {
  maxArchiveBytes: 512 * MIB,
  maxInstallBytes: 2048 * MIB,
  maxEntries: 50_000,
  maxRatio: 200,
  maxMetadataBytes: 256 * 1024,
  maxIconBytes: MIB,
  maxPathLength: 240,
}

/** Existing tools read resource archives up to 100 MiB. Icons hardly compress, and all of them are held in memory. */
export const RESOURCES_LIMITS: ArchiveLimits = {
  ...ARCHIVE_LIMITS,
  maxArchiveBytes: 100 * MIB,
  maxInstallBytes: 200 * MIB,
}

export function withLimits(base: ArchiveLimits, limits: Partial<ArchiveLimits> = {}): ArchiveLimits {
  return { ...base, ...limits }
}
