import {
  compareVersions,
  DEFAULT_RUNTIME,
  incompatibilities,
  type Package,
  type PackageVersion,
  preferredVersion,
} from '@patchbay/package-format'
import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { plainLines } from '../command/sentence.ts'
import { bytesInWords } from '../terminal/bytes.ts'
import { type Paint, paintStatus } from '../terminal/paint.ts'
import { tableOf } from '../terminal/table.ts'
import { joinSources } from './join-sources.ts'
import { type SourceWords, sourcesFor } from './open-sources.ts'
import { readName } from './package-name.ts'
import { type Place, placeFor, runtimesFor, type TargetWords } from './places.ts'
import { readSettings } from './settings.ts'
import { unknownPackage } from './unknown-package.ts'

export interface InfoWords extends SourceWords, TargetWords {
  readonly json?: boolean
}

/** A version with the reasons why it does not run here; none: it does. */
interface Judged extends PackageVersion {
  readonly obstacles: readonly string[]
}

/** `patchbay info com.example.blinky`: what the source that it would be installed from says about it. */
export async function showInfo(task: Task, named: string, words: InfoWords): Promise<Outcome> {
  const { identifier, version: wanted } = readName(named)
  const settings = await readSettings(task.surroundings)
  const place = placeFor(task.surroundings, words, settings.target)
  const sources = await sourcesFor(task, words, settings)
  const joined = joinSources(task, sources)
  using progress = task.progress(`Looking for ${identifier}`)
  progress.update(0)
  const offer = await joined.find(identifier)
  if (offer === undefined) throw await unknownPackage(identifier, joined, 'nobody offers it')
  const versions = judge(offer.package, place).filter(({ version }) => [undefined, version].includes(wanted))
  if (wanted !== undefined && versions.length === 0) throw noSuchVersion(offer.package, wanted)
  const chosen = preferredVersion(versions.filter(({ obstacles }) => obstacles.length === 0))?.version ?? null
  const server = sources.find(({ kind, url }) => kind === 'server' && url === offer.origin)?.url
  const shown = {
    ...offer.package,
    source: offer.repository,
    page: server === undefined ? null : `${server}/packages/${offer.package.identifier}`,
    would_install: chosen,
    install_command: installCommand(offer.package.identifier, wanted, words),
  }
  return {
    json: {
      ...shown,
      versions: versions.map(({ obstacles, ...version }) => ({
        ...version,
        is_compatible: obstacles.length === 0,
        incompatibilities: obstacles,
      })),
    },
    text: textOf(task.paint, shown, versions),
  }
}

/** The latest first. Of a tool that nobody named, no version is too old or too new. */
function judge({ type, versions }: Package, place: Place): Judged[] {
  return versions
    .map((version) => {
      const target = {
        ...place,
        toolVersion: place.toolVersion ?? version.tool_version,
        ...runtimesFor(place),
      }
      const obstacles = incompatibilities(type, version, target).map(({ message }) => message)
      return { ...version, obstacles }
    })
    .toSorted((a, b) => compareVersions(b, a))
}

function noSuchVersion({ identifier, versions }: Package, wanted: string): Refusal {
  const offered = versions.map(({ version }) => version).join(', ')
  return new Refusal(
    EXIT.failed,
    'unknown_version',
    `${identifier} has no version ${stripHidden(wanted)}; offered: ${offered === '' ? 'none' : offered}.`,
    { identifier },
  )
}

/** It asks the same source as this command did. */
function installCommand(identifier: string, version: string | undefined, words: InfoWords): string {
  const from = words.repo === undefined ? words.server : words.repo
  const option = words.repo === undefined ? '--server' : '--repo'
  const what = version === undefined ? identifier : `${identifier}@${version}`
  return `patchbay install ${what}${from === undefined ? '' : ` ${option} ${shellWord(from)}`}`
}

function shellWord(text: string): string {
  return /^[\w.:/@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

type Shown = Package & {
  readonly source: string
  readonly page: string | null
  readonly would_install: string | null
  readonly install_command: string
}

function textOf(paint: Paint, shown: Shown, versions: readonly Judged[]): string {
  const { name, identifier, description, description_full: long } = shown
  return [
    `${paint('bold', stripHidden(name))}  ${identifier}${shown.would_install === null ? '' : ` ${shown.would_install}`}`,
    stripHidden(description),
    ...(long.trim() === '' || long.trim() === description.trim() ? [] : ['', plainLines(long.trim())]),
    '',
    tableOf(
      fields(shown).map(([field, text]) => [paint('dim', field), stripHidden(text)]),
      '  ',
    ),
    '',
    paint('bold', 'Versions'),
    versions.length === 0
      ? '  none: it is no longer offered'
      : tableOf(
          versions.map((version) => versionRow(paint, shown.type, version)),
          '  ',
        ),
    ...(versions.length === 0
      ? []
      : [
          '',
          paint('bold', 'Install'),
          shown.would_install === null
            ? '  No version runs here. To install one anyway, name it and add --force.'
            : `  ${shown.install_command}`,
        ]),
  ].join('\n')
}

function fields(shown: Shown): (readonly [field: string, text: string])[] {
  const { type, category, author, maintainer, license, tags = [], resources, source, page } = shown
  const person = (each: Package['author']) => [each.name, ...Object.values(each.contact)].join(', ')
  return [
    ['type', category === undefined ? type : `${type}, ${category}`],
    ['license', license],
    ['author', person(author)],
    ...(maintainer === undefined ? [] : [['maintainer', person(maintainer)] as const]),
    ...(tags.length === 0 ? [] : [['tags', tags.join(', ')] as const]),
    ...Object.entries(resources),
    ['source', source],
    ...(page === null || page === '' ? [] : [['page', page] as const]),
  ]
}

function versionRow(paint: Paint, type: Package['type'], version: Judged): string[] {
  const { tool_version: min, tool_version_max: max, platforms, runtime, download_size: size } = version
  return [
    version.version,
    paintStatus(paint, version.status),
    `tool ${max === undefined ? `${min} or newer` : `${min} to ${max}`}`,
    platforms?.join(', ') ?? 'all platforms',
    type === 'plugin' ? (runtime ?? DEFAULT_RUNTIME) : '',
    size === undefined ? '' : bytesInWords(size),
    version.obstacles.length === 0 ? '' : paint('yellow', `not here: ${version.obstacles.join('; ')}`),
  ]
}
