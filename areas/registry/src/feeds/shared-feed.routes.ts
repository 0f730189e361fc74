import { buffer } from 'node:stream/consumers'
import { Problem } from '@patchbay/contracts/core'
import {
  getSharedArchive,
  getSharedFeed,
  getSharedFeedFile,
  getSharedManifest,
} from '@patchbay/contracts/registry'
import { type HttpApp, on, READ } from '@patchbay/kernel/http'
import type { RegistryDeps } from '../deps.ts'
import type { Archives } from '../downloads/archive.routes.ts'
import type { ArchiveRow } from '../downloads/archive.store.ts'
import { archiveFileName, registryUrl, sharedUrl } from '../files/addresses.ts'
import { answer } from '../files/answer.routes.ts'
import { BoundedCache } from '../files/bounded-cache.ts'
import { findFeedFile } from '../files/feed-file.store.ts'
import { PRIVATE, type Representation, represent, representText } from '../files/representation.ts'
import type { StoredBodies } from '../files/stored-bodies.store.ts'
import { servedBrands } from '../index-settings.ts'
import { refuseQuarantined } from '../packages/quarantine.ts'
import { findSharedOwner } from './feed-address.store.ts'
import type { ServedFeeds } from './served-feeds.store.ts'

/** The address is the secret: no page that somebody opens from here may pass it on. */
const HEADERS = { 'referrer-policy': 'no-referrer' }
const PER_MINUTE = 600
const MOST_CHARACTERS = 16 * 1024 * 1024
const MOST_HASHES = 1_000

interface List {
  /** Of its text, which is kept with the codings that were asked for. */
  readonly length: number
  readonly shown: Representation
}

export interface SharedDeps {
  readonly feeds: ServedFeeds
  readonly archives: Archives
  readonly bodies: StoredBodies
}

/**
 * Private feeds at secret addresses, for tools that can send no credential. Lists are those of the private feed with the
 * addresses in them led below the secret one, so their hashes are others; they are made when they are asked for.
 */
export function registerSharedFeeds(app: HttpApp, deps: RegistryDeps, shared: SharedDeps): void {
  const { db, settings } = deps
  const { publicUrl } = settings
  const { feeds, archives, bodies } = shared
  const brands = new Set(servedBrands(settings))
  const lists = new BoundedCache<List>({ maxWeight: MOST_CHARACTERS, weigh: ({ length }) => length })
  // Of lists that are too long to be kept as well.
  const hashes = new BoundedCache<string>({ maxWeight: MOST_HASHES, weigh: () => 1 })
  const traits = { rateLimit: { max: PER_MINUTE, windowMs: 60_000 } }

  const requireOwner = async (token: string): Promise<string> => {
    const owner = await findSharedOwner(db, token)
    if (owner === undefined) throw new Problem('not_found')
    return owner
  }
  const makeList = async (token: string, sha256: string): Promise<List> => {
    const body = await bodies.load(sha256)
    const bytes = Buffer.isBuffer(body) ? body : await buffer(body.stream)
    const text = rebaseList(bytes.toString(), publicUrl, sharedUrl(publicUrl, token))
    return { length: text.length, shown: representText(text, 'application/json', PRIVATE, HEADERS) }
  }
  const listOf = async (token: string, sha256: string): Promise<Representation> => {
    const list = await lists.load(`${token} ${sha256}`, () => makeList(token, sha256))
    return (list ?? (await makeList(token, sha256))).shown
  }
  const hashOf = async (token: string, sha256: string, name: string): Promise<string> => {
    if (name === 'resources.zip') return sha256
    const hash = await hashes.load(`${token} ${sha256}`, async () => (await listOf(token, sha256)).sha256)
    return hash ?? ''
  }
  const represented = async (token: string, sha256: string, name: string): Promise<Representation> => {
    if (name !== 'resources.zip') return await listOf(token, sha256)
    const description = { sha256, type: 'application/zip', cacheControl: PRIVATE, headers: HEADERS }
    return represent({ ...description, codings: ['identity'] }, () => bodies.load(sha256))
  }
  const findOwned = async (token: string, sha256: string): Promise<ArchiveRow> => {
    const owner = await requireOwner(token)
    const row = (await archives.find(sha256))?.row
    if (row?.owner !== owner) throw new Problem('package_not_found')
    if (row.quarantined_at !== null) throw refuseQuarantined(row.quarantine_reason)
    // Not as a public one: a shared cache must not keep it under an address that can be revoked.
    return { ...row, visibility: 'private' }
  }

  app.route({
    ...on(getSharedFeed, traits),
    method: READ,
    async handler(request, reply) {
      const { token, brand } = request.params
      const owner = await requireOwner(token)
      if (!brands.has(brand)) throw new Problem('not_found')
      const feed = { owner, visibility: 'private' } as const
      const own = await feeds.find(feed, brand)
      const body = await own.load('identity')
      const text = Buffer.isBuffer(body) ? body.toString() : (await buffer(body.stream)).toString()
      const rebasedText = await rebaseRepository(text, sharedUrl(publicUrl, token), (sha256, name) =>
        hashOf(token, sha256, name),
      )
      return answer(request, reply, representText(rebasedText, 'application/json', PRIVATE, HEADERS))
    },
  })

  app.route({
    ...on(getSharedFeedFile, traits),
    method: READ,
    async handler(request, reply) {
      const { token, sha256, name } = request.params
      const owner = await requireOwner(token)
      if ((await findFeedFile(db, sha256, name, owner)) === undefined) throw new Problem('not_found')
      return answer(request, reply, await represented(token, sha256, name))
    },
  })

  app.route({
    ...on(getSharedArchive, { ...traits, deadlineMs: 0 }),
    method: READ,
    async handler(request, reply) {
      const { token, sha256, file } = request.params
      const row = await findOwned(token, sha256)
      if (file !== archiveFileName(row)) throw new Problem('package_not_found')
      await archives.count(request, sha256, row)
      return answer(request, reply, archives.archive(sha256, row, HEADERS))
    },
  })

  app.route({
    ...on(getSharedManifest, traits),
    method: READ,
    async handler(request, reply) {
      const { token, file } = request.params
      const row = await findOwned(token, file.slice(0, -'.json'.length))
      return answer(request, reply, archives.manifest(row, HEADERS))
    },
  })
}

/** Lets the addresses of archives and manifests in a list lead below the secret address. */
function rebaseList(text: string, publicUrl: string, shared: string): string {
  const registry = registryUrl(publicUrl)
  return ['archives', 'manifests'].reduce(
    (list, kind) => list.replaceAll(`"${registry}/${kind}/`, `"${shared}/${kind}/`),
    text,
  )
}

interface Named {
  readonly url: string
  readonly sha256: string
}

/** The repository with its files below the secret address; `hashOf` answers what a list has once it is rebased. */
async function rebaseRepository(
  text: string,
  shared: string,
  hashOf: (sha256: string, name: string) => Promise<string>,
): Promise<string> {
  const repository = JSON.parse(text) as Readonly<Record<string, unknown>>
  const entries = Object.entries(repository).map(async ([key, value]) => {
    if (typeof value !== 'object' || value === null || !('url' in value)) return [key, value] as const
    const { url, sha256 } = value as Named
    const name = url.slice(url.lastIndexOf('/') + 1)
    const rebased = { url: `${shared}/files/${sha256}/${name}`, sha256: await hashOf(sha256, name) }
    return [key, { ...value, ...rebased }] as const
  })
  return JSON.stringify(Object.fromEntries(await Promise.all(entries)))
}
