import { join, resolve } from 'node:path'
import { type Platform, RUNTIMES, type Runtime, type Target } from '@patchbay/package-format'
import type { CliSurroundings } from '../terminal/surroundings.ts'
import { baseOf } from '../user-folders.ts'
import type { TargetSettings } from './settings.ts'

export interface TargetWords {
  readonly root?: string
  readonly toolVersion?: string
  readonly platform?: Platform
  readonly runtime?: Runtime
}

/** Where packages go, and what runs there. */
export interface Place {
  readonly root: string
  readonly platform: Platform
  /** Absent: nobody said. */
  readonly toolVersion?: string
  /** Absent: those that the version of the tool has. */
  readonly runtime?: Runtime
}

/** The option, what is remembered, or what suits this machine. */
export function placeFor(surroundings: CliSurroundings, words: TargetWords, kept: TargetSettings): Place {
  const toolVersion = words.toolVersion ?? kept.toolVersion
  const runtime = words.runtime ?? kept.runtime
  return {
    root: resolve(words.root ?? kept.root ?? defaultRoot(surroundings)),
    platform: words.platform ?? kept.platform ?? platformOf(surroundings.platform),
    ...(toolVersion === undefined ? {} : { toolVersion }),
    ...(runtime === undefined ? {} : { runtime }),
  }
}

/** The one that was named; else what the tool has, and of a tool that nobody knows, all. */
export function runtimesFor({
  toolVersion,
  runtime,
}: Pick<Place, 'toolVersion' | 'runtime'>): Pick<Target, 'runtimes'> {
  if (runtime !== undefined) return { runtimes: [runtime] }
  return toolVersion === undefined ? { runtimes: RUNTIMES } : {}
}

export function platformOf(platform: NodeJS.Platform): Platform {
  if (platform === 'win32') return 'windows'
  return platform === 'darwin' ? 'macos' : 'linux'
}

function defaultRoot({ environment }: CliSurroundings): string {
  return join(baseOf(environment, 'XDG_DATA_HOME', '.local/share'), 'patchbay', '3rdparty')
}
