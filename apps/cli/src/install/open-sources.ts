import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type InstallSource, RepositoryFailure } from '@patchbay/package-manager'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import type { Task } from '../command/run-task.ts'
import { API_KEY_VARIABLE, keyServerOf } from '../registry/credential.ts'
import { serverFor } from '../registry/registry.ts'
import type { CliSurroundings } from '../surroundings.ts'
import { explainDistrust } from './distrust.ts'
import type { PackageSource } from './package-source.ts'
import type { Settings, SourceSettings } from './settings.ts'

export interface SourceWords {
  readonly server?: string
  readonly repo?: string
  readonly toolBrand?: string
}

/** The one that was named; those that are configured, in their order; or the server of this machine. */
export async function sourcesFor(
  task: Task,
  { server, repo, toolBrand }: SourceWords,
  { sources }: Settings,
): Promise<readonly SourceSettings[]> {
  const brand = toolBrand === undefined ? {} : { toolBrand }
  if (server !== undefined && repo !== undefined)
    throw new Refusal(EXIT.usage, 'bad_option', 'Name a server or a repository, not both.')
  // What is configured for an address counts, such as its root.
  const knownAt = (url: string) => sources.find((source) => source.url === url)
  if (repo !== undefined) {
    const described = await describeSource(repo)
    return [{ ...(knownAt(described.url) ?? described), ...brand }]
  }
  const withKey = keyGiver(task.surroundings, server)
  if (server === undefined && sources.length > 0) return sources.map(withKey)
  const url = serverFor(task.surroundings, server)
  return [withKey(knownAt(url) ?? { name: url, url, kind: 'server', ...brand })]
}

/** PATCHBAY_API_KEY is for one server, unless a source says how it wants to be asked. */
function keyGiver(surroundings: CliSurroundings, named: string | undefined) {
  const keyServer = keyServerOf(surroundings, named)
  return (source: SourceSettings): SourceSettings =>
    source.url === keyServer && source.apiKeyVariable === undefined && source.usesLogin !== true
      ? { ...source, apiKeyVariable: API_KEY_VARIABLE }
      : source
}

/** What an address is: a repository.json, a folder that holds one, or a server. */
export async function describeSource(text: string): Promise<Pick<SourceSettings, 'name' | 'url' | 'kind'>> {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(text)) {
    const path = resolve(text)
    const isFolder = (await stat(path)).isDirectory()
    const { href } = pathToFileURL(isFolder ? join(path, 'repository.json') : path)
    return { name: href, url: href, kind: 'repository' }
  }
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^(https?|file):$/.test(url.protocol))
    throw new Refusal(
      EXIT.usage,
      'bad_address',
      'The address must begin with https://, http:// or file://: of a Patchbay server, or of a repository.json.',
    )
  const isRepository = url.protocol === 'file:' || url.pathname.endsWith('.json')
  const address = isRepository ? url.href : url.href.replace(/\/+$/, '')
  return { name: address, url: address, kind: isRepository ? 'repository' : 'server' }
}

export async function openSource(task: Task, settings: SourceSettings): Promise<PackageSource> {
  const source =
    settings.kind === 'server'
      ? await (await import('./server-source.ts')).openServerSource(task, settings)
      : await (await import('./repository-source.ts')).openRepositorySource(task, settings)
  const explain = <T>(work: Promise<T>) => explainDistrust(settings, work)
  return {
    ...source,
    check: () => explain(source.check()),
    find: (identifier) => explain(source.find(identifier)),
    search: (wish) => explain(source.search(wish)),
  }
}

/** Several sources as one: a package comes from the first that has it. Nothing is asked before it is needed. */
export function joinSources(
  task: Task,
  settings: readonly SourceSettings[],
): InstallSource & { open(): Promise<readonly PackageSource[]> } {
  let opened: Promise<readonly PackageSource[]> | undefined
  const open = () => (opened ??= Promise.all(settings.map((each) => openSource(task, each))))
  return {
    open,
    async find(identifier) {
      for (const source of await open()) {
        const offer = await source.find(identifier).catch((error: unknown) => {
          task.signal.throwIfAborted()
          // A package that this one may have must not come from the next one, which anybody may have filled.
          if (settings.length === 1 || !(error instanceof RepositoryFailure) || !error.isPassing) throw error
          throw new RepositoryFailure(
            'repository_unanswered',
            `${identifier} may be one of its packages; try again later, or name the source to take it from with --server or --repo`,
            { url: source.url, cause: error },
          )
        })
        if (offer !== undefined) return offer
      }
      return undefined
    },
  }
}
