import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createRoot, createSigningKey, delegateToBins, publicKeyOf } from '@patchbay/package-trust/signing'
import type { Radosgw } from '@patchbay/testkit/radosgw'
import { type RunningNode, temporaryFolder } from '../processes.ts'
import { type Database, startDatabase, startServer } from '../server.ts'

type Env = Readonly<Record<string, string>>

/** One PostgreSQL and one folder of archives; servers come and go, one at a time. */
export interface Rig extends Database {
  start(options: SiteOptions): Promise<RunningNode>
}

export interface SiteOptions {
  /** Up to where the list of all packages is built. */
  readonly feedMaxMb: number
  readonly isSigned?: boolean
}

const BUCKET = 'archives'

export async function startRig(): Promise<Rig> {
  await using starting = new AsyncDisposableStack()
  const folder = starting.use(await temporaryFolder())
  const objects = join(folder.path, 'objects')
  await mkdir(objects)
  const trust = await writeTrustFolder(folder.path)
  const database = starting.use(await startDatabase())
  const running = starting.move()
  return {
    ...database,
    start: ({ feedMaxMb, isSigned = false }) =>
      startSite(database.url, feedMaxMb, {
        PATCHBAY_OBJECTS_URL: pathToFileURL(objects).href,
        ...(isSigned ? trust : {}),
      }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export function startSite(databaseUrl: string, feedMaxMb: number, env: Env): Promise<RunningNode> {
  return startServer({ databaseUrl, env: { PATCHBAY_FEED_MAX_MB: `${feedMaxMb}`, ...env } })
}

export function bucketUrl({ endpoint, region }: Radosgw): string {
  return `s3://${BUCKET}?${new URLSearchParams({ endpoint, region, path_style: 'true' }).toString()}`
}

/** In a bucket that is made for it. */
export async function objectsInS3(store: Radosgw): Promise<Env> {
  await store.createBucket(BUCKET)
  return {
    PATCHBAY_OBJECTS_URL: bucketUrl(store),
    PATCHBAY_OBJECTS_ACCESS_KEY_ID: store.accessKeyId,
    PATCHBAY_OBJECTS_SECRET_ACCESS_KEY: store.secretAccessKey,
  }
}

const YEAR_MS = 365 * 86_400_000
/** As `patchbay repo trust init` has it. */
const BIN_BITS = 8

/** The offline part of a signed index: what an operator makes once and hands to the server. */
async function writeTrustFolder(parent: string): Promise<Env> {
  const folder = join(parent, 'trust')
  await mkdir(folder)
  const [offline, onlineKey] = [createSigningKey(), createSigningKey()]
  const holdersOf = (pem: string) => ({ keys: [publicKeyOf(pem)], threshold: 1 })
  const now = new Date()
  const issue = { now, expires: new Date(now.getTime() + YEAR_MS), keys: [offline] }
  const [own, online] = [holdersOf(offline), holdersOf(onlineKey)]
  const root = createRoot({ ...issue, roles: { root: own, targets: own, online } })
  const targets = delegateToBins({ ...issue, bits: BIN_BITS, holders: online })
  for (const { name, bytes } of [root, targets]) await writeFile(join(folder, name), bytes)
  const onlineKeyFile = join(parent, 'online.pem')
  await writeFile(onlineKeyFile, onlineKey, { mode: 0o600 })
  return { PATCHBAY_TRUST_FOLDER: folder, PATCHBAY_TRUST_ONLINE_KEY_FILE: onlineKeyFile }
}
