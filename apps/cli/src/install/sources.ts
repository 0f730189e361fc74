import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runtimesOf } from '@patchbay/package-format'
import { EXIT } from '../account/ending.ts'
import { nearest } from '../command/nearest.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { serverFor } from '../registry/registry.ts'
import { tableOf } from '../terminal/table.ts'
import { describeSource, openSource } from './open-sources.ts'
import { placeFor, type TargetWords } from './places.ts'
import {
  changeSettings,
  readSettings,
  type Settings,
  type SourceSettings,
  settingsFile,
  type TargetSettings,
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
  const described = await describeSource(address)
  refuseContradictions(described, words)
  const name = words.name ?? described.name
  refuseKnown(await readSettings(task.surroundings), { name, url: described.url })
  const source: SourceSettings = {
    ...described,
    name,
    ...(words.toolBrand === undefined ? {} : { toolBrand: words.toolBrand }),
    ...(words.apiKeyVariable === undefined ? {} : { apiKeyVariable: words.apiKeyVariable }),
    ...(words.useLogin === true ? { usesLogin: true } : {}),
    ...(words.trustRoot === undefined ? {} : { trustRoot: await keepRoot(task, words.trustRoot) }),
    ...(words.allowUnsignedPrivate === true ? { allowsUnsignedPrivate: true } : {}),
  }
  if (words.check) await checkNow(task, source)
  const { sources } = await changeSettings(task, (settings) => {
    // Again: while the source was asked, another command may have added it.
    refuseKnown(settings, source)
    return { ...settings, sources: [...settings.sources, source] }
  })
  const unlessPrivate = source.allowsUnsignedPrivate === true ? ' (private ones without)' : ''
  const signed = source.trustRoot === undefined ? '' : `, and only with its signatures${unlessPrivate}`
  return {
    json: source,
    text: `Added ${name}. Packages come from it ${sources.length === 1 ? 'from now on' : 'when no source before it has them'}${signed}.`,
  }
}

/** Other servers, which are the advice elsewhere, are no answer here. */
async function checkNow(task: Task, source: SourceSettings): Promise<void> {
  try {
    await (await openSource(task, source)).check()
  } catch (error) {
    const { exitCode, code, message, details } = (await import('../command/failure-words.ts')).refusalOf(
      error,
    )
    if (exitCode !== EXIT.unavailable) throw error
    const [reason = ''] = message.split('\n')
    const advice = 'It was not added. Check the address; to add it although it does not answer: --no-check.'
    throw new Refusal(exitCode, code, `${reason}\n${advice}`, details)
  }
}

function refuseKnown({ sources }: Settings, { name, url }: Pick<SourceSettings, 'name' | 'url'>): void {
  const known = sources.find((source) => source.name === name || source.url === url)
  if (known === undefined) return
  throw new Refusal(
    EXIT.failed,
    'already_there',
    `${known.name} (${known.url}) is one of your sources already.\nRemove it first with "patchbay source remove ${known.name}".`,
  )
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
  let removed = findSource(await readSettings(task.surroundings), named)
  await changeSettings(task, (settings) => {
    removed = findSource(settings, named)
    return { ...settings, sources: settings.sources.filter((source) => source !== removed) }
  })
  return { json: removed, text: `Removed ${removed.name}. What was installed from it stays.` }
}

function findSource({ sources }: Settings, named: string): SourceSettings {
  const found = sources.find(({ name, url }) => name === named || url === named)
  if (found !== undefined) return found
  const meant = nearest(
    named,
    sources.map(({ name }) => name),
  )
  throw new Refusal(
    EXIT.failed,
    'unknown_source',
    `None of your sources is called ${named}.\n${meant === undefined ? 'Run "patchbay source list" to see them.' : `Did you mean ${meant}?`}`,
  )
}

/** `patchbay source list`. */
export async function listSources(task: Task): Promise<Outcome> {
  const { sources, target } = await readSettings(task.surroundings)
  const usual = await serverFor(task.surroundings, undefined)
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
  const wished = (kept: TargetSettings): TargetSettings =>
    words.forget === true
      ? {}
      : {
          ...kept,
          ...(words.root === undefined ? {} : { root: placeFor(task.surroundings, words, kept).root }),
          ...(words.toolVersion === undefined ? {} : { toolVersion: words.toolVersion }),
          ...(words.platform === undefined ? {} : { platform: words.platform }),
          ...(words.runtime === undefined ? {} : { runtime: words.runtime }),
        }
  const before = await readSettings(task.surroundings)
  // Whoever only looks waits for nobody, and makes no folder.
  const isChanged = JSON.stringify(wished(before.target)) !== JSON.stringify(before.target)
  const { target } = isChanged
    ? await changeSettings(task, (settings) => ({ ...settings, target: wished(settings.target) }))
    : before
  const place = placeFor(task.surroundings, {}, target)
  return {
    json: {
      root: place.root,
      tool_version: place.toolVersion ?? null,
      platform: place.platform,
      runtime: place.runtime ?? null,
    },
    text: tableOf([
      ['packages go to', place.root],
      ['tool version', place.toolVersion ?? 'not known: the newest packages are taken'],
      ['platform', place.platform],
      ['runtime', place.runtime ?? runtimesInWords(place.toolVersion)],
    ]),
  }
}

function runtimesInWords(toolVersion: string | undefined): string {
  return toolVersion === undefined ? 'any' : `${runtimesOf(toolVersion).join(', ')}, as the tool version has`
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
