import { PLATFORMS, RUNTIMES, VERSION_STATUSES } from '@patchbay/package-format'
import { toolKey } from './tool-key.ts'

/**
 * What the versions of a package run on is one set of numbers, `packages.fits`, which `package_fits` of the migration
 * makes: for every status, platform and runtime, and for any of them, a number for each tool version. A search asks for
 * one stretch of it: all that it asks for is then true of one version, and no version has to be looked at.
 */
const STATUSES = ['any', ...VERSION_STATUSES]
const ON_PLATFORMS = ['any', ...PLATFORMS]
/** Parts of a tool's version have two digits. */
const PART = 100
/** One more than there are: a version whose maximum is below its minimum runs on none, and has a status all the same. */
const TOOLS = PART ** 3 + 1
/** In sets that would be too large: they have all tools, and the versions decide. */
export const ROUGH = STATUSES.length * ON_PLATFORMS.length * TOOLS
/** Numbers of a named runtime come after the mark: those of any runtime stay what they were. */
const FIRST_RUNTIME = STATUSES.length * ON_PLATFORMS.length + 1

export interface AskedFit {
  readonly status?: (typeof VERSION_STATUSES)[number] | undefined
  readonly platform?: (typeof PLATFORMS)[number] | undefined
  readonly runtime?: (typeof RUNTIMES)[number] | undefined
  readonly tool_version?: string | undefined
}

export interface Stretch {
  readonly first: number
  readonly last: number
}

/** `undefined`: nothing is asked. */
export function askedFits(asked: AskedFit): Stretch | undefined {
  const { status, platform, runtime, tool_version: tool } = asked
  if ([status, platform, runtime, tool].every((each) => each === undefined)) return undefined
  const facet =
    firstFacet(runtime) +
    STATUSES.indexOf(status ?? 'any') * ON_PLATFORMS.length +
    ON_PLATFORMS.indexOf(platform ?? 'any')
  const first = facet * TOOLS
  if (tool === undefined) return { first, last: first + TOOLS - 1 }
  const only = first + toolKey(tool, 0).reduce((number, part) => number * PART + part, 0)
  return { first: only, last: only }
}

function firstFacet(runtime: AskedFit['runtime']): number {
  if (runtime === undefined) return 0
  return FIRST_RUNTIME + RUNTIMES.indexOf(runtime) * STATUSES.length * ON_PLATFORMS.length
}
