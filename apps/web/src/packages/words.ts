import type { PackageType, Platform, Runtime, VersionStatus } from '@patchbay/package-format'
import type { Tone } from '../components/types.ts'

export const TYPE_NAMES: Readonly<Record<PackageType, string>> = {
  plugin: 'Plugin',
  library: 'Library',
  colortheme: 'Color theme',
}

export const PLATFORM_NAMES: Readonly<Record<Platform, string>> = {
  windows: 'Windows',
  macos: 'macOS',
  linux: 'Linux',
}

export const RUNTIME_NAMES: Readonly<Record<Runtime, string>> = {
  swig: 'SWIG',
  ipc: 'IPC',
}

export const STATUS_NAMES: Readonly<Record<VersionStatus, string>> = {
  stable: 'Stable',
  testing: 'Testing',
  development: 'Development',
  deprecated: 'Deprecated',
}

export const STATUS_TONES: Readonly<Record<VersionStatus, Tone>> = {
  stable: 'ok',
  testing: 'info',
  development: 'neutral',
  deprecated: 'warning',
}

interface ToolRange {
  readonly tool_version: string
  readonly tool_version_max: string | null
}

/** With which versions of the design tool something works. */
export function toolRangeInWords({ tool_version, tool_version_max }: ToolRange): string {
  if (tool_version_max === null) return `Tool ${tool_version} and later`
  if (tool_version_max === tool_version) return `Tool ${tool_version}`
  return `Tool ${tool_version} to ${tool_version_max}`
}

/** What a plugin needs. */
export function runtimeInWords(runtime: string): string {
  return `${runtime.toUpperCase()} runtime`
}

/** An empty list means all. */
export function platformsInWords(platforms: readonly Platform[]): string {
  if (platforms.length === 0) return 'Any platform'
  return platforms.map((platform) => PLATFORM_NAMES[platform]).join(', ')
}

/** What is said about the addresses that design tools read. */
export const words = {
  feeds: {
    loading: 'Loading repository addresses',
    chooseTool: 'Each design tool has its own address. Choose yours:',
    forTool: (name: string, brand: string) => `${name} for ${brand}`,
    howToAdd:
      'In your design tool open the plugin and content manager, choose Manage, and add this address as a repository.',
  },
}
