import { incompatibilities, type PackageVersion, PLATFORMS, RUNTIMES } from '@patchbay/package-format'
import type { SearchFilter } from '../../src/search/search.ts'
import type { Seed } from '../seed.ts'

/** A package of a few known words, small enough to be compared word by word. */
export interface SmallPackage {
  readonly identifier: string
  readonly name: string
  readonly tags: readonly string[]
  readonly description: string
  readonly full: string
  readonly type: 'plugin' | 'library'
  readonly owner: string
  readonly day: number
  readonly isListed: boolean
  readonly versions: readonly Pick<
    PackageVersion,
    'status' | 'tool_version' | 'tool_version_max' | 'platforms' | 'runtime'
  >[]
}

export function seedOf(small: SmallPackage): Seed {
  const { identifier, owner, isListed, day, versions, name, tags, description, full, type } = small
  return {
    identifier,
    owner,
    isListed,
    updatedAt: new Date(Date.UTC(2026, 0, 1 + day)),
    versions,
    package: { name, tags, description, description_full: full, type, author: { name: '-', contact: {} } },
  }
}

/** What promise, one package after the other: how many places the words have, or `undefined`. */
export function naivePlaces(small: SmallPackage, words: readonly string[]): number | undefined {
  const fields = [
    [1331, small.name],
    [121, [small.identifier, ...small.tags].join(' ')],
    [11, small.description],
    [1, small.full],
  ] as const
  const last = words.length - 1
  const asked = words.map((word, index) => ({ word, isWhole: index < last }))
  const different = asked.filter(
    ({ word, isWhole }, index) =>
      !asked.slice(0, index).some((earlier) => earlier.word === word && earlier.isWhole === isWhole),
  )
  const places = different.map(
    ({ word, isWhole }) =>
      fields.find(([, text]) =>
        text.split(/[^a-z0-9]+/).some((there) => (isWhole ? there === word : there.startsWith(word))),
      )?.[0],
  )
  return places.reduce<number | undefined>(
    (sum, place) => (sum === undefined || place === undefined ? undefined : sum + place),
    0,
  )
}

export function naiveFits(small: SmallPackage, filter: SearchFilter): boolean {
  const { type, tag, owner, platform, status } = filter
  return (
    small.isListed &&
    (type === undefined || small.type === type) &&
    (tag === undefined || small.tags.includes(tag)) &&
    (owner === undefined || small.owner === owner) &&
    small.versions.some(
      (version) =>
        (status === undefined || version.status === status) &&
        (platform === undefined ? PLATFORMS : [platform]).some((on) => runsOn(small, version, on, filter)),
    )
  )
}

function runsOn(
  { type }: SmallPackage,
  version: SmallPackage['versions'][number],
  platform: (typeof PLATFORMS)[number],
  { tool_version: tool, runtime }: SearchFilter,
): boolean {
  const implied = tool === undefined ? { runtimes: RUNTIMES } : {}
  const found = incompatibilities(
    type,
    { ...version, version: '1.0' },
    { platform, toolVersion: tool ?? '8', ...(runtime === undefined ? implied : { runtimes: [runtime] }) },
  )
  return found.every(({ kind }) => tool === undefined && kind !== 'platform' && kind !== 'runtime')
}
