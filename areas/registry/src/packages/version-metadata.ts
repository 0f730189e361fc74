import { DEFAULT_RUNTIME, type PackageType, type Platform } from '@patchbay/package-format'

type Metadata = Readonly<Record<string, unknown>>

export const COMPATIBILITY_KEYS = ['tool_version', 'tool_version_max', 'platforms', 'runtime'] as const

/** What faces show of a version's stored entry, which was checked before it was stored. */
export function compatibilityOf(type: PackageType, metadata: Metadata) {
  return {
    tool_version: textOf(metadata['tool_version']) ?? '',
    tool_version_max: textOf(metadata['tool_version_max']),
    platforms: platformsOf(metadata['platforms']),
    runtime: type === 'plugin' ? (textOf(metadata['runtime']) ?? DEFAULT_RUNTIME) : null,
  }
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function platformsOf(value: unknown): Platform[] {
  return Array.isArray(value) ? (value as Platform[]) : []
}
