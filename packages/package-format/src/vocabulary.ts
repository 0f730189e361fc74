export const PACKAGE_TYPES = ['plugin', 'library', 'colortheme'] as const
export type PackageType = (typeof PACKAGE_TYPES)[number]

export const PLATFORMS = ['windows', 'macos', 'linux'] as const
export type Platform = (typeof PLATFORMS)[number]

/** From what most people want to what nobody should take: an update never goes further right. */
export const VERSION_STATUSES = ['stable', 'testing', 'development', 'deprecated'] as const
export type VersionStatus = (typeof VERSION_STATUSES)[number]

/** Which status may follow which on a registry. The last line takes back a deprecation that was a mistake. */
export const STATUS_CHANGES: Readonly<Record<VersionStatus, readonly VersionStatus[]>> = {
  development: ['testing', 'stable', 'deprecated'],
  testing: ['stable', 'deprecated'],
  stable: ['deprecated'],
  deprecated: ['stable'],
}

export const RUNTIMES = ['swig', 'ipc'] as const
export type Runtime = (typeof RUNTIMES)[number]
/** What a plugin needs that names no runtime. */
export const DEFAULT_RUNTIME: Runtime = 'swig'
