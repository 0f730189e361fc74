import type { PackageVersion } from './package.ts'
import { compareParts, partsOf } from './version.ts'
import { DEFAULT_RUNTIME, type PackageType, type Platform, RUNTIMES, type Runtime } from './vocabulary.ts'

/** Where a package is to run. */
export interface Target {
  readonly toolVersion: string
  readonly platform: Platform
  /** Absent: those that this version of the tool has. */
  readonly runtimes?: readonly Runtime[]
}

export interface Incompatibility {
  readonly kind: 'tool_too_old' | 'tool_too_new' | 'platform' | 'runtime'
  readonly message: string
}

/** A maximum of `8.0` covers every 8.0.x: what it leaves out is as high as it can be. */
export const HIGHEST_LEFT_OUT = 999

/** The first tool that runs `ipc` plugins is 9.0, whose previews are numbered 8.99. */
const IPC_SINCE = [8, 99, 0]

/** The runtimes for plugins that a version of the tool has. */
export function runtimesOf(toolVersion: string): readonly Runtime[] {
  return compareParts(partsOf(toolVersion, 0), IPC_SINCE) < 0 ? [DEFAULT_RUNTIME] : RUNTIMES
}

/** Why a version does not run on a target; empty when it does. */
export function incompatibilities(
  type: PackageType,
  version: PackageVersion,
  target: Target,
): Incompatibility[] {
  return [
    ...refuseToolVersion(version, target),
    ...refusePlatform(version, target),
    ...refuseRuntime(type, version, target),
  ]
}

function refuseToolVersion(version: PackageVersion, { toolVersion }: Target): Incompatibility[] {
  const { tool_version: min, tool_version_max: max } = version
  const tool = partsOf(toolVersion, 0)
  if (compareParts(tool, partsOf(min, 0)) < 0)
    return [{ kind: 'tool_too_old', message: `needs tool version ${min} or newer, this is ${toolVersion}` }]
  if (max !== undefined && compareParts(tool, partsOf(max, HIGHEST_LEFT_OUT)) > 0)
    return [{ kind: 'tool_too_new', message: `needs tool version ${max} or older, this is ${toolVersion}` }]
  return []
}

function refusePlatform({ platforms }: PackageVersion, { platform }: Target): Incompatibility[] {
  if (platforms === undefined || platforms.includes(platform)) return []
  return [{ kind: 'platform', message: `runs on ${platforms.join(', ')}, not on ${platform}` }]
}

function refuseRuntime(
  type: PackageType,
  { runtime = DEFAULT_RUNTIME }: PackageVersion,
  { toolVersion, runtimes = runtimesOf(toolVersion) }: Target,
): Incompatibility[] {
  if (type !== 'plugin' || runtimes.includes(runtime)) return []
  const offered = runtimes.length === 0 ? 'no runtime for plugins' : runtimes.join(', ')
  return [{ kind: 'runtime', message: `needs the runtime ${runtime}, here is ${offered}` }]
}
