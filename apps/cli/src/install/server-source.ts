import { getPackageSearch } from '@patchbay/contracts/registry'
import type { Task } from '../command/run-task.ts'
import { openRegistry } from '../registry/registry.ts'
import { cacheFolder } from '../user-folders.ts'
import { accessOf } from './access.ts'
import type { Hits, PackageSource, Wish } from './package-source.ts'
import type { SourceSettings } from './settings.ts'
import type { SparseFiles } from './sparse.ts'

/** Enough of a word to find what was misspelled behind it. */
const BEGINNING = 4

/** A Patchbay server: packages are read one by one, so that it does not matter how many there are. */
export async function openServerSource(task: Task, settings: SourceSettings): Promise<PackageSource> {
  const { name, url: server, trustRoot } = settings
  const credential = await accessOf(task.surroundings, settings)
  const registry = await openRegistry(task, server, credential)
  // Loaded when it is needed: a search gets by without signatures and archives, and is answered in half the time.
  let opened: Promise<SparseFiles> | undefined
  const sparse = () => (opened ??= import('./sparse.ts').then(({ openSparse }) => openSparse(task, settings)))

  async function search({ words, limit, type, platform, runtime, toolVersion, status }: Wish): Promise<Hits> {
    const { body } = await registry.ask(getPackageSearch, {
      query: {
        limit: Math.min(limit, 100),
        ...(words === '' ? {} : { q: words }),
        ...(type === undefined ? {} : { type }),
        ...(platform === undefined ? {} : { platform }),
        ...(runtime === undefined ? {} : { runtime }),
        ...(toolVersion === undefined ? {} : { tool_version: toolVersion }),
        ...(status === undefined ? {} : { status }),
      },
    })
    const hits = body.items.map(({ latest, ...each }) => ({
      identifier: each.identifier,
      name: each.name,
      description: each.description,
      type: each.type,
      version: latest?.version ?? null,
      status: latest?.status ?? null,
      source: name,
    }))
    return { hits, hasMore: body.next_cursor !== null }
  }

  return {
    name,
    url: server,
    search,
    async check() {
      await search({ words: '', limit: 1 })
      await (await sparse()).check()
    },
    async find(identifier) {
      const found = await (await sparse()).read(identifier)
      if (found === undefined) {
        const { findPrivate } = await import('./private-packages.ts')
        return await findPrivate({ task, settings, credential, registry }, identifier)
      }
      return {
        package: found,
        repository: name,
        origin: server,
        async open(version, { signal, allowUnverified = false }) {
          const { openRepository } = await import('@patchbay/package-manager')
          const downloads = openRepository(
            { url: `${server}/registry/feeds/tool/repository.json` },
            { cacheFolder: `${cacheFolder(task.surroundings.environment)}/repositories` },
          )
          const { stream, size } = await downloads.openDownload(version, {
            ...(signal === undefined ? {} : { signal }),
            allowUnhashed: allowUnverified && trustRoot === undefined,
            isHashedByCaller: true,
          })
          return { stream, ...(size === undefined ? {} : { size }) }
        },
      }
    },
    async listNear(identifier) {
      const word = identifier.split('.').at(-1)?.slice(0, BEGINNING) ?? ''
      const { hits } = await search({ words: word, limit: 100 })
      return hits.map((hit) => hit.identifier)
    },
  }
}
