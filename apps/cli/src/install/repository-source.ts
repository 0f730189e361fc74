import { incompatibilities, type Package, rankPackages, chooseForInstall } from '@patchbay/package-format'
import {
  type CatalogSnapshot,
  installSourceOf,
  openCatalog,
  openRepository,
  type TrustSource,
} from '@patchbay/package-manager'
import { plain, timeInWords } from '../account/words.ts'
import type { Task } from '../command/run-task.ts'
import { counted } from '../terminal/table.ts'
import type { Credential } from '../registry/credential.ts'
import { accessOf, fetchAs } from './access.ts'
import type { Hit, PackageSource, Wish } from './package-source.ts'
import { cacheFolder, platformOf } from './places.ts'
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
      cacheFolder: `${cacheFolder(task.surroundings)}/repositories`,
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
          `${name} could not be read, so this is its state of ${timeInWords(fetchedAt.toISOString())}: ${plain(failure?.message ?? '')}`,
        )
      if (quarantined.length > 0)
        task.notify(`${counted(quarantined.length, 'package')} of ${name} left out: not valid.`)
    }
    return snapshot
  }

  return {
    name,
    url,
    check: async () => void (await catalog()),
    find: async (identifier) => await installSourceOf(await catalog()).find(identifier),
    async search(wish) {
      const packages = (await catalog()).entries.map((entry) => entry.package)
      const fitting = rankPackages(packages, wish.words).filter((each) => fits(each, wish))
      const hits = fitting.slice(0, wish.limit).map((each) => hitOf(each, wish, task, name))
      return { hits, hasMore: fitting.length > wish.limit }
    },
    listNear: async () => (await catalog()).entries.map((entry) => entry.package.identifier),
  }
}

function trustOf(url: string, path: string): TrustSource {
  const registry = FEED.exec(url)?.[1]
  return { root: { path }, ...(registry === undefined ? {} : { metadataUrl: `${registry}tuf/` }) }
}

/** All that is asked of versions must fit one of them. */
function fits({ type, versions }: Package, wish: Wish): boolean {
  if (versions.length === 0 || (wish.type !== undefined && wish.type !== type)) return false
  return versions.some((version) => {
    const platform = wish.platform ?? version.platforms?.[0] ?? 'linux'
    const toolVersion = wish.toolVersion ?? version.tool_version
    const isFit = incompatibilities(type, version, { toolVersion, platform }).length === 0
    return isFit && (wish.status === undefined || version.status === wish.status)
  })
}

function hitOf(each: Package, wish: Wish, { surroundings }: Task, source: string): Hit {
  const target = {
    platform: wish.platform ?? platformOf(surroundings.platform),
    toolVersion: wish.toolVersion ?? '99',
  }
  const version = chooseForInstall(each, target) ?? each.versions[0]
  const { identifier, name, description, type } = each
  return {
    identifier,
    name,
    description,
    type,
    version: version?.version ?? null,
    status: version?.status ?? null,
    source,
  }
}
