import type { RegistryDeps } from '../deps.ts'
import type { FeedName } from '../files/addresses.ts'
import { servedBrands } from '../index-settings.ts'
import { INSTALLATION } from '../installation.ts'
import { type FeedState, nameFile, spellRepository } from './feed.ts'
import { type FeedFile, findStored, storeFile, storeText } from './feed-objects.store.ts'
import { readFeed } from './feed-read.store.ts'
import { openSpoolFolder, type SpooledFeed, spoolFeed } from './feed-spool.io.ts'
import { iconsKeyOf, readResources, writeResources } from './resources.io.ts'
import { ALL, createShares } from './shares.ts'
import type { Spooled } from './spool-file.io.ts'

export type DraftDeps = Pick<RegistryDeps, 'db' | 'objects' | 'clock' | 'log' | 'settings'>

/** A feed whose objects are stored and that nobody sees yet. */
export interface FeedDraft {
  readonly feed: FeedName
  readonly revision: number
  readonly base: number
  /** Of the state before. */
  readonly previousBrands: readonly string[]
  /** Absent: there is more than tools can read. */
  readonly content?: { readonly state: FeedState; readonly files: readonly FeedFile[] }
}

/** What our own client reads. The installation's feed obeys the setting, which is what existing tools read. */
const OWNER_MAX_BYTES = 64 * 1024 * 1024

/** `undefined`: somebody else has built it meanwhile. */
export async function draftFeed(deps: DraftDeps, feed: FeedName): Promise<FeedDraft | undefined> {
  await using spool = await openSpoolFolder(deps.settings.spoolFolder)
  const { settings } = deps
  const isShared = feed.owner === INSTALLATION
  const maxBytes = isShared ? settings.feedMaxBytes : OWNER_MAX_BYTES
  const options = { brands: servedBrands(settings), publicUrl: settings.publicUrl, maxBytes }
  const read = await readFeed(deps.db, feed, async (reader) => {
    const { row } = reader
    if (row.revision <= row.builtRevision) return undefined
    // Shares count only where there is not room for all: an installation may well have a single owner.
    for (const shares of isShared ? [createShares(), createShares(maxBytes)] : [ALL]) {
      const wanted = reader.read((each) => shares.isWanted(each))
      const spooled = await spoolFeed(wanted, {
        ...options,
        folder: await spool.newFolder(),
        shares,
      })
      if (spooled === undefined) continue
      noteLeftOut(deps, shares.leftOut)
      return { row, spooled }
    }
    return { row, spooled: undefined }
  })
  if (read === undefined) return undefined
  const { row, spooled } = read
  const previousBrands = Object.keys(row.files?.repositories ?? {})
  const base = { feed, revision: row.revision, base: row.builtRevision, previousBrands }
  if (spooled === undefined) return base
  return { ...base, content: await storeFeed(deps, feed, spooled, row.files) }
}

async function storeFeed(
  deps: DraftDeps,
  feed: FeedName,
  spooled: SpooledFeed,
  previous: FeedState | null,
): Promise<{ state: FeedState; files: FeedFile[] }> {
  const { db, objects, settings } = deps
  const now = deps.clock.now()
  const store = async (spooledFile: Spooled, name: string) =>
    (await findStored(db, objects, spooledFile.content.sha256, name)) ?? storeFile(objects, spooledFile, name)

  const iconsKey = iconsKeyOf(spooled.icons)
  const storeIcons = async () =>
    (previous?.iconsKey === iconsKey
      ? await findStored(db, objects, previous.resources.sha256, 'resources.zip')
      : undefined) ?? storeResources(deps, spooled, store)
  const [resourcesFile, manifestsFile] = await Promise.all([
    storeIcons(),
    store(spooled.manifests, 'manifests.json'),
  ])
  const resources = nameFile(resourcesFile, previous?.resources, now)
  const manifests = nameFile(manifestsFile, previous?.manifests, now)

  const files = [resourcesFile, manifestsFile]
  const packages: Record<string, FeedState['resources']> = {}
  const repositories: Record<string, string> = {}
  // Side by side: each waits for the disk several times.
  await Promise.all(
    Array.from(spooled.packages, async ([brand, spooledList]) => {
      const list = nameFile(spooledList.content, previous?.packages[brand], now)
      const { publicUrl, repositoryName: name } = settings
      const text = spellRepository({ publicUrl, feed, name, packages: list, resources, manifests })
      packages[brand] = list
      repositories[brand] = text
      const stored = [store(spooledList, 'packages.json'), storeText(objects, text, 'repository.json')]
      files.push(...(await Promise.all(stored)))
    }),
  )
  return { state: { repositories, packages, resources, manifests, iconsKey }, files }
}

const MOST_NAMED = 20

function noteLeftOut({ log }: DraftDeps, leftOut: readonly string[]): void {
  if (leftOut.length === 0) return
  const details = { count: leftOut.length, identifiers: leftOut.slice(0, MOST_NAMED) }
  log.warn(details, 'packages left out of the installation feed: over their share of its size')
}

async function storeResources(
  { objects }: DraftDeps,
  { icons, resourcesPath }: SpooledFeed,
  store: (file: Spooled, name: string) => Promise<FeedFile>,
): Promise<FeedFile> {
  const content = await writeResources(objects, icons, resourcesPath)
  return store({ content, read: () => readResources(resourcesPath) }, 'resources.zip')
}
