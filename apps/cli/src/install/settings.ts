import { chmod, mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { credentialsFolder } from '@patchbay/client/credentials'
import { PLATFORMS, type Platform, RUNTIMES, type Runtime } from '@patchbay/package-format'
import { writeAtomically } from '@patchbay/primitives/files'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import type { Task } from '../command/run-task.ts'
import { sentence } from '../command/sentence.ts'
import type { CliSurroundings } from '../terminal/surroundings.ts'

/** Where packages come from. */
export interface SourceSettings {
  readonly name: string
  /** Of a server, or of a repository.json. */
  readonly url: string
  readonly kind: 'server' | 'repository'
  readonly toolBrand?: string
  /** Secrets are not kept here: only where they are found. */
  readonly apiKeyVariable?: string
  readonly usesLogin?: boolean
  /** A copy of the root that its signatures are followed from. */
  readonly trustRoot?: string
  /** Private packages are taken although nothing signs them. */
  readonly allowsUnsignedPrivate?: boolean
}

/** Where packages go. */
export interface TargetSettings {
  readonly root?: string
  readonly toolVersion?: string
  readonly platform?: Platform
  readonly runtime?: Runtime
}

export interface Settings {
  readonly sources: readonly SourceSettings[]
  readonly target: TargetSettings
}

const VERSION = 1

export function settingsFile({ environment }: CliSurroundings): string {
  return join(credentialsFolder(environment), 'sources.json')
}

/** Here and not in the cache: whoever empties that must not be shown yesterday as today. */
export function pinsFolder(surroundings: CliSurroundings): string {
  return join(dirname(settingsFile(surroundings)), 'pins')
}

export async function readSettings(surroundings: CliSurroundings): Promise<Settings> {
  const path = settingsFile(surroundings)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return { sources: [], target: {} }
  const { version, sources, target } = Object(parse(text)) as Record<string, unknown>
  if (version !== VERSION || !Array.isArray(sources) || !sources.every(isSource) || !isTarget(target))
    throw new Refusal(
      EXIT.failed,
      'settings_damaged',
      `${path} is not what was written there.\nCorrect it, or move it away and add your sources again.`,
    )
  return { sources, target }
}

/** As long as somebody may take who writes a small file. */
const PATIENCE_MS = 10_000

/**
 * What is there at that moment becomes what `change` makes of it. Two commands at once take turns: without the lock the
 * second would write what it read before the first had written.
 */
export async function changeSettings(
  task: Task,
  change: (settings: Settings) => Settings,
): Promise<Settings> {
  const { surroundings, signal } = task
  const path = settingsFile(surroundings)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await chmod(dirname(path), 0o700)
  const { withRootLock } = await import('@patchbay/package-manager')
  return await withRootLock(
    `${path}.lock`,
    { patienceMs: PATIENCE_MS, notify: (message) => task.notify(sentence(message)), signal },
    async () => {
      const settings = change(await readSettings(surroundings))
      await writeSettings(surroundings, settings)
      return settings
    },
  )
}

/** Only for the holder of the lock, and for this user alone: whoever can write it chooses what is installed. */
async function writeSettings(surroundings: CliSurroundings, settings: Settings): Promise<void> {
  const text = `${JSON.stringify({ version: VERSION, ...settings }, null, 2)}\n`
  await writeAtomically(settingsFile(surroundings), text)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isSource(value: unknown): value is SourceSettings {
  const source = Object(value) as Readonly<Partial<Record<keyof SourceSettings, unknown>>>
  const isOptional = (type: string, ...all: unknown[]) =>
    all.every((each) => each === undefined || typeof each === type)
  return (
    typeof source.name === 'string' &&
    typeof source.url === 'string' &&
    (source.kind === 'server' || source.kind === 'repository') &&
    isOptional('string', source.toolBrand, source.apiKeyVariable, source.trustRoot) &&
    isOptional('boolean', source.usesLogin, source.allowsUnsignedPrivate)
  )
}

function isTarget(value: unknown): value is TargetSettings {
  const { root, toolVersion, platform, runtime } = Object(value) as Record<string, unknown>
  return (
    [root, toolVersion].every((each) => each === undefined || typeof each === 'string') &&
    (platform === undefined || PLATFORMS.some((each) => each === platform)) &&
    (runtime === undefined || RUNTIMES.some((each) => each === runtime))
  )
}
