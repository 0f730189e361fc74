import { lstatSync } from 'node:fs'
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

/** It may have been there before, made by somebody else or open to everybody. Windows says nothing of either. */
export function isOwn(folder: string): boolean {
  const { uid, mode } = lstatSync(folder)
  const own = process.getuid?.()
  return own === undefined || (uid === own && (mode & 0o022) === 0)
}
