import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Ending, EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import type { Task } from '../command/run-task.ts'
import { API_KEY_VARIABLE, keyServerOf } from '../registry/credential.ts'
import { serverFor } from '../registry/registry.ts'
import type { CliSurroundings } from '../terminal/surroundings.ts'
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
  const url = await serverFor(task.surroundings, server)
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
  const explain = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (error instanceof Ending) throw error
      throw (await import('./distrust.ts')).distrustOf(settings, error)
    }
  }
  return {
    ...source,
    check: () => explain(source.check()),
    find: (identifier) => explain(source.find(identifier)),
    search: (wish) => explain(source.search(wish)),
  }
}
