import {
  incompatibilities,
  type Package,
  type PackageVersion,
  type Platform,
  preferredVersion,
  rankPackages,
} from '@patchbay/package-format'
import {
  type CatalogSnapshot,
  installSourceOf,
  openCatalog,
  openRepository,
  type TrustSource,
} from '@patchbay/package-manager'
import { stripHidden } from '@patchbay/primitives/text'
import { timeInWords } from '../account/words.ts'
import type { Task } from '../command/run-task.ts'
import type { Credential } from '../registry/credential.ts'
import { counted } from '../terminal/table.ts'
import { cacheFolder } from '../user-folders.ts'
import { accessOf, fetchAs } from './access.ts'
import type { Hit, PackageSource, Wish } from './package-source.ts'
import { platformOf, runtimesFor } from './places.ts'
import { pinsFolder, type SourceSettings } from './settings.ts'

const FEED = /^(.*\/registry\/)feeds\//

/** A repository.json, which is read once and kept on this machine. */
export async function openRepositorySource(
  task: Task,
  settings: SourceSettings,
  asked?: Credential,
): Promise<PackageSource> {
  const { name, url, toolBrand, trustRoot } = settings
  const credential = asked ?? (await accessOf(task.surroundings, settings))
  const { apiKey } = credential
  const repository = openRepository(
    {
      url,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(toolBrand === undefined ? {} : { brand: toolBrand }),
      ...(trustRoot === undefined ? {} : { trust: trustOf(url, trustRoot) }),
    },
    {
      cacheFolder: `${cacheFolder(task.surroundings.environment)}/repositories`,
      trustFolder: pinsFolder(task.surroundings),
      fetch: fetchAs(new URL(url).origin, credential),
    },
  )
  let read: Promise<CatalogSnapshot> | undefined
  const catalog = () => (read ??= refresh())

  async function refresh(): Promise<CatalogSnapshot> {
    using progress = task.progress(`Reading ${name}`)
    const snapshot = await openCatalog([repository]).refresh({
      signal: task.signal,
      onProgress: ({ bytes, total }) => progress.update(bytes, total),
    })
    const [silent] = snapshot.unanswered
    if (silent !== undefined) throw silent.failure
    for (const { fromCache, failure, fetchedAt, quarantined } of snapshot.snapshots) {
      // Silence may pass; what is wrong with its answer must not look like "up to date".
      if (failure !== undefined && !failure.isPassing) throw failure
      if (fromCache || failure !== undefined)
        task.notify(
          `${name} could not be read, so this is its state of ${timeInWords(fetchedAt.toISOString())}: ${stripHidden(failure?.message ?? '')}`,
        )
      if (quarantined.length > 0)
        task.notify(`${counted(quarantined.length, 'package')} of ${name} left out: not valid.`)
    }
    return snapshot
  }

  const hitOf = ({ identifier, name: title, description, type }: Package, shown: PackageVersion): Hit => ({
    identifier,
    name: title,
    description,
    type,
    version: shown.version,
    status: shown.status,
    source: name,
  })

  return {
    name,
    url,
    check: async () => void (await catalog()),
    find: async (identifier) => await installSourceOf(await catalog()).find(identifier),
    async search(wish) {
      const packages = (await catalog()).entries.map((entry) => entry.package)
      const here = wish.platform ?? platformOf(task.surroundings.platform)
      const fitting = rankPackages(packages, wish.words).flatMap((each) => {
        const version = shownVersion(fittingVersions(each, wish), here)
        return version === undefined ? [] : [hitOf(each, version)]
      })
      return { hits: fitting.slice(0, wish.limit), hasMore: fitting.length > wish.limit }
    },
    listNear: async () => (await catalog()).entries.map((entry) => entry.package.identifier),
  }
}

function trustOf(url: string, path: string): TrustSource {
  const registry = FEED.exec(url)?.[1]
  return { root: { path }, ...(registry === undefined ? {} : { metadataUrl: `${registry}tuf/` }) }
}

/** Those that all of it is true of; without a type or versions that fit, none. */
function fittingVersions({ type, versions }: Package, wish: Wish): PackageVersion[] {
  if (wish.type !== undefined && wish.type !== type) return []
  return versions.filter((version) => {
    const platform = wish.platform ?? version.platforms?.[0] ?? 'linux'
    const toolVersion = wish.toolVersion ?? version.tool_version
    const target = { toolVersion, platform, ...runtimesFor(wish) }
    const isFit = incompatibilities(type, version, target).length === 0
    return isFit && (wish.status === undefined || version.status === wish.status)
  })
}

/** The version that would be installed of those that fit; on this machine, where some run there and no platform is asked for. */
function shownVersion(fitting: readonly PackageVersion[], here: Platform): PackageVersion | undefined {
  const local = fitting.filter(({ platforms }) => platforms === undefined || platforms.includes(here))
  return preferredVersion(local) ?? preferredVersion(fitting)
}
