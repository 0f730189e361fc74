import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { EXIT } from '../account/ending.ts'
import { nearest } from '../command/nearest.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { tableOf } from '../terminal/table.ts'
import { serverFor } from '../registry/registry.ts'
import { describeSource, openSource } from './open-sources.ts'
import { placeFor, type TargetWords } from './places.ts'
import {
  readSettings,
  settingsFile,
  type SourceSettings,
  type TargetSettings,
  writeSettings,
} from './settings.ts'

export interface AddWords {
  readonly name?: string
  readonly toolBrand?: string
  readonly apiKeyVariable?: string
  readonly useLogin?: boolean
  readonly trustRoot?: string
  readonly allowUnsignedPrivate?: boolean
  /** False: it need not answer now. */
  readonly check: boolean
  readonly json?: boolean
}

/** `patchbay source add`. Unless told otherwise, it is asked once: an address that is wrong is noticed now. */
export async function addSource(task: Task, address: string, words: AddWords): Promise<Outcome> {
  const { surroundings } = task
  const settings = await readSettings(surroundings)
  const described = await describeSource(address)
  refuseContradictions(described, words)
  const name = words.name ?? described.name
  for (const known of settings.sources)
    if (known.name === name || known.url === described.url)
      throw new Refusal(
        EXIT.failed,
        'already_there',
        `${known.name} (${known.url}) is one of your sources already.\nRemove it first with "patchbay source remove ${known.name}".`,
      )
  const source: SourceSettings = {
    ...described,
    name,
    ...(words.toolBrand === undefined ? {} : { toolBrand: words.toolBrand }),
    ...(words.apiKeyVariable === undefined ? {} : { apiKeyVariable: words.apiKeyVariable }),
    ...(words.useLogin === true ? { usesLogin: true } : {}),
    ...(words.trustRoot === undefined ? {} : { trustRoot: await keepRoot(task, words.trustRoot) }),
    ...(words.allowUnsignedPrivate === true ? { allowsUnsignedPrivate: true } : {}),
  }
  if (words.check) await (await openSource(task, source)).check()
  await writeSettings(surroundings, { ...settings, sources: [...settings.sources, source] })
  const unlessPrivate = source.allowsUnsignedPrivate === true ? ' (private ones without)' : ''
  const signed = source.trustRoot === undefined ? '' : `, and only with its signatures${unlessPrivate}`
  return {
    json: source,
    text: `Added ${name}. Packages come from it ${settings.sources.length === 0 ? 'from now on' : 'when no source before it has them'}${signed}.`,
  }
}

function refuseContradictions({ kind, url }: Pick<SourceSettings, 'kind' | 'url'>, words: AddWords): void {
  const { apiKeyVariable, useLogin, trustRoot, allowUnsignedPrivate } = words
  const wrong =
    apiKeyVariable !== undefined && useLogin === true
      ? 'Name a key or the login, not both.'
      : useLogin === true && url.startsWith('file:')
        ? 'A folder needs no login.'
        : allowUnsignedPrivate === true && (kind !== 'server' || trustRoot === undefined)
          ? '--allow-unsigned-private is for a server whose root is pinned with --trust-root.'
          : undefined
  if (wrong !== undefined) throw new Refusal(EXIT.usage, 'bad_option', wrong)
}

/** `patchbay source remove`. */
export async function removeSource(task: Task, named: string): Promise<Outcome> {
  const settings = await readSettings(task.surroundings)
  const removed = settings.sources.find(({ name, url }) => name === named || url === named)
  if (removed === undefined) {
    const meant = nearest(
      named,
      settings.sources.map(({ name }) => name),
    )
    throw new Refusal(
      EXIT.failed,
      'unknown_source',
      `None of your sources is called ${named}.\n${meant === undefined ? 'Run "patchbay source list" to see them.' : `Did you mean ${meant}?`}`,
    )
  }
  const sources = settings.sources.filter((source) => source !== removed)
  await writeSettings(task.surroundings, { ...settings, sources })
  return { json: removed, text: `Removed ${removed.name}. What was installed from it stays.` }
}

/** `patchbay source list`. */
export async function listSources(task: Task): Promise<Outcome> {
  const { sources, target } = await readSettings(task.surroundings)
  const usual = serverFor(task.surroundings, undefined)
  const rows = sources.map((source) => [
    source.name,
    source.kind,
    source.name === source.url ? '' : source.url,
    [
      source.trustRoot === undefined ? '' : 'signed',
      source.allowsUnsignedPrivate === true ? 'private ones unsigned' : '',
      source.toolBrand ?? '',
      source.apiKeyVariable === undefined ? '' : `key in ${source.apiKeyVariable}`,
      source.usesLogin === true ? 'with your login' : '',
    ]
      .filter((word) => word !== '')
      .join(', '),
  ])
  return {
    json: { sources, target, default_server: usual, file: settingsFile(task.surroundings) },
    text:
      rows.length === 0
        ? `No sources are configured: packages come from ${usual}.\nAdd one with "patchbay source add URL".`
        : tableOf(rows),
  }
}

/** `patchbay source target`: remembers where packages go, or shows it. */
export async function setTarget(
  task: Task,
  words: TargetWords & { readonly forget?: boolean },
): Promise<Outcome> {
  const settings = await readSettings(task.surroundings)
  const wished = placeFor(task.surroundings, words, settings.target)
  const target: TargetSettings =
    words.forget === true
      ? {}
      : {
          ...settings.target,
          ...(words.root === undefined ? {} : { root: wished.root }),
          ...(words.toolVersion === undefined ? {} : { toolVersion: words.toolVersion }),
          ...(words.platform === undefined ? {} : { platform: words.platform }),
        }
  const isChanged = JSON.stringify(target) !== JSON.stringify(settings.target)
  if (isChanged) await writeSettings(task.surroundings, { ...settings, target })
  const place = placeFor(task.surroundings, {}, target)
  return {
    json: { root: place.root, tool_version: place.toolVersion ?? null, platform: place.platform },
    text: tableOf([
      ['packages go to', place.root],
      ['tool version', place.toolVersion ?? 'not known: the newest packages are taken'],
      ['platform', place.platform],
    ]),
  }
}

/** A copy: the file may be on a stick, and what is trusted must not change with it. */
async function keepRoot({ surroundings }: Task, file: string): Promise<string> {
  const bytes = await readFile(file)
  const { describeRoot } = await import('@patchbay/package-trust/signing')
  try {
    describeRoot(bytes)
  } catch {
    throw new Refusal(
      EXIT.failed,
      'bad_root',
      `${file} is not a root of a signed index (such as 1.root.json).`,
    )
  }
  const folder = join(dirname(settingsFile(surroundings)), 'roots')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const kept = join(folder, `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.root.json`)
  await writeFile(kept, bytes, { mode: 0o600 })
  return kept
}
