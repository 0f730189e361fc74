import { formatUpdateTime, type RepositoryResource } from '@patchbay/package-format'
import { type FeedName, feedFileUrl } from '../files/addresses.ts'

/** A file that a repository.json names. */
export interface NamedFile {
  readonly sha256: string
  readonly size: number
  /** Seconds. Existing tools fetch the file again iff it differs, so it only ever grows, and only with the content. */
  readonly updateTimestamp: number
}

/** What the last build of a feed left: a repository.json for each brand, and what they name. */
export interface FeedState {
  readonly repositories: Readonly<Record<string, string>>
  readonly packages: Readonly<Record<string, NamedFile>>
  readonly resources: NamedFile
  readonly manifests: NamedFile
  /** Of the list of icons: while it stays, so does resources.zip. */
  readonly iconsKey: string
}

export interface BuiltContent {
  readonly sha256: string
  readonly size: number
}

/** The same content keeps its time, other content gets a later one, whatever the clock says. */
export function nameFile(content: BuiltContent, previous: NamedFile | undefined, now: Date): NamedFile {
  const { sha256, size } = content
  if (previous?.sha256 === sha256) return previous
  const seconds = Math.floor(now.getTime() / 1000)
  return { sha256, size, updateTimestamp: Math.max(seconds, (previous?.updateTimestamp ?? 0) + 1) }
}

/** A zip without entries is its end record alone. */
const EMPTY_ZIP_BYTES = 22

export interface RepositoryText {
  readonly publicUrl: string
  readonly feed: FeedName
  readonly name: string
  readonly packages: NamedFile
  readonly resources: NamedFile
  readonly manifests: NamedFile
}

export function spellRepository({ publicUrl, feed, name, ...files }: RepositoryText): string {
  const refer = (file: NamedFile, fileName: string): RepositoryResource => ({
    url: feedFileUrl(publicUrl, feed, file.sha256, fileName),
    sha256: file.sha256,
    update_timestamp: file.updateTimestamp,
    update_time_utc: formatUpdateTime(file.updateTimestamp),
  })
  return JSON.stringify({
    name: spellName(name, feed),
    packages: refer(files.packages, 'packages.json'),
    // KiCad shows an error where it is named and empty.
    ...(files.resources.size > EMPTY_ZIP_BYTES && { resources: refer(files.resources, 'resources.zip') }),
    manifests: refer(files.manifests, 'manifests.json'),
  })
}

/** Tools show nothing but the name: several feeds of one installation must be told apart. */
function spellName(name: string, { owner, visibility }: FeedName): string {
  if (owner === '') return name
  return visibility === 'public' ? `${name}: ${owner}` : `${name}: ${owner} (private)`
}
