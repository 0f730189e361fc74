import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  openRepository,
  type RepositoryClient,
  type RepositoryDeps,
  type TrustSource,
} from '../../src/index.ts'
import { serveRepository } from '../../src/repository/index.ts'
import { DAY, holdCeremony, NOW } from '../repository/signing-keys.ts'
import { openWorkshop } from '../repository/workshop.ts'
import { FAST } from './sample.ts'

/** A signed repository on a server, and clients that share a cache. */
export async function startSigned() {
  const shop = await openWorkshop()
  await shop.build()
  const served = await serveRepository(shop.out, { port: 0 })
  await rm(shop.out, { recursive: true })
  const { trust, root } = holdCeremony()
  const rootPath = join(shop.root, 'root.json')
  await writeFile(rootPath, root.bytes)
  let now = NOW
  let builds = 0
  return {
    shop,
    root,
    url: served.url,
    close: () => served.close(),
    wait: (days: number) => void (now += days * DAY),
    publish: async () => {
      await shop.addFolder(`com.example.p${++builds}`)
      return shop.build({
        trust,
        now: () => now,
        baseUrl: new URL('.', served.url).href,
        timestamp: 1_700_000_000 + builds,
      })
    },
    open: (
      trusting: Partial<TrustSource> = {},
      cache = 'cache',
      deps: Partial<RepositoryDeps> = {},
    ): RepositoryClient =>
      openRepository(
        { url: served.url, trust: { root: { path: rootPath }, ...trusting } },
        { cacheFolder: join(shop.root, cache), now: () => now, limits: FAST, ...deps },
      ),
    async [Symbol.asyncDispose]() {
      await served.close().catch(() => undefined)
      await shop[Symbol.asyncDispose]()
    },
  }
}
