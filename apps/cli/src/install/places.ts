import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import type { Platform } from '@patchbay/package-format'
import type { CliSurroundings } from '../surroundings.ts'
import type { TargetSettings } from './settings.ts'

export interface TargetWords {
  readonly root?: string
  readonly toolVersion?: string
  readonly platform?: Platform
}

/** Where packages go, and what runs there. */
export interface Place {
  readonly root: string
  readonly platform: Platform
  /** Absent: nobody said. */
  readonly toolVersion?: string
}

/** The option, what is remembered, or what suits this machine. */
export function placeFor(surroundings: CliSurroundings, words: TargetWords, kept: TargetSettings): Place {
  const toolVersion = words.toolVersion ?? kept.toolVersion
  return {
    root: resolve(words.root ?? kept.root ?? defaultRoot(surroundings)),
    platform: words.platform ?? kept.platform ?? platformOf(surroundings.platform),
    ...(toolVersion === undefined ? {} : { toolVersion }),
  }
}

export function platformOf(platform: NodeJS.Platform): Platform {
  if (platform === 'win32') return 'windows'
  return platform === 'darwin' ? 'macos' : 'linux'
}

function defaultRoot({ environment }: CliSurroundings): string {
  return join(baseOf(environment, 'XDG_DATA_HOME', '.local/share'), 'patchbay', '3rdparty')
}

export function cacheFolder({ environment }: CliSurroundings): string {
  return join(baseOf(environment, 'XDG_CACHE_HOME', '.cache'), 'patchbay')
}

/** A relative path is ignored, as the XDG specification has it. */
function baseOf(environment: CliSurroundings['environment'], variable: string, usual: string): string {
  const configured = environment[variable]
  if (configured !== undefined && isAbsolute(configured)) return configured
  return join(environment['HOME'] || homedir(), usual)
}
