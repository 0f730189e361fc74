import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Environment } from '@patchbay/kernel/config'

/** What may be deleted at any time. */
export function cacheFolder(environment: Environment): string {
  return join(baseOf(environment, 'XDG_CACHE_HOME', '.cache'), 'patchbay')
}

/** A relative path is ignored, as the XDG specification has it. */
export function baseOf(environment: Environment, variable: string, usual: string): string {
  const configured = environment[variable]
  if (configured !== undefined && isAbsolute(configured)) return configured
  return join(environment['HOME'] || homedir(), usual)
}
