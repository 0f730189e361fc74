import { waitUntil } from '@patchbay/testkit/processes'
import type { Client } from 'pg'
import type { RunningNode } from '../processes.ts'
import { insertPackages } from './population.ts'
import { measurePublishing, type PublishCost, type PublishSizes } from './publishing.ts'
import { measureReading, type ReadingResult, type ReadingSizes } from './reading.ts'
import type { Rig } from './rig.ts'
import { measureServing, type ServingResult, type ServingSizes } from './serving.ts'
import { syntheticPackage } from './synthetic-package.ts'

export interface ScaleSizes {
  /** From the smallest to the largest. */
  readonly packages: readonly number[]
  readonly publishing: PublishSizes
  readonly reading: ReadingSizes
  readonly serving: ServingSizes
  /** Of the `packages.json` that is served. */
  readonly indexBytes: number
}

export interface SizeCost {
  readonly packages: number
  readonly unsigned: PublishCost
  readonly signed: PublishCost
  /** Until everything that was there has its first signature. */
  readonly firstSigningSeconds: number
}

export interface ScaleResult {
  readonly serving: ServingResult
  /** At the smallest size, while the list of all packages is small enough to be built. */
  readonly withWholeFeed: PublishCost
  readonly sizes: readonly SizeCost[]
  /** At the largest size. */
  readonly reading: ReadingResult
}

/** The list of all packages is built up to here, as usual; or it is beyond the limit, as with many packages. */
const FEED_MB = { built: 10, tooLarge: 1 }
const INDEX = { owner: 'index', from: 50_000_000 }
const SIGNING_DEADLINE_MS = 30 * 60_000
const BUILD_DEADLINE_MS = 60_000

export async function measureScale(rig: Rig, sizes: ScaleSizes): Promise<ScaleResult> {
  let nextOwner = 0
  const publish = async (site: RunningNode) => {
    nextOwner += 1
    return await measurePublishing(site, rig, nextOwner - 1, sizes.publishing)
  }
  const [smallest = 0] = sizes.packages
  const { serving, withWholeFeed } = await measureSmall(rig, sizes, smallest, publish)
  const costs: SizeCost[] = []
  let there = smallest
  let reading: ReadingResult | undefined
  for (const packages of sizes.packages) {
    console.log(`  ${packages} packages …`)
    if (packages > there) await insertPackages(rig.client, { from: there, count: packages - there })
    there = packages
    const isLargest = packages === sizes.packages.at(-1)
    await using unsigned = await rig.start({ feedMaxMb: FEED_MB.tooLarge })
    const cost = await publish(unsigned)
    console.log(`  published without signatures, ${cost.p50Ms.toFixed(0)} ms`)
    if (isLargest) reading = await measureReading(unsigned, rig, packages, sizes.reading)
    await unsigned[Symbol.asyncDispose]()
    costs.push({ packages, unsigned: cost, ...(await measureSigned(rig, publish)) })
  }
  if (reading === undefined) throw new Error('no size was given')
  return { serving, withWholeFeed, sizes: costs, reading }
}

type Publish = (site: RunningNode) => Promise<PublishCost>

async function measureSmall(rig: Rig, sizes: ScaleSizes, packages: number, publish: Publish) {
  await using site = await rig.start({ feedMaxMb: FEED_MB.built })
  await insertPackages(rig.client, { from: 0, count: packages })
  const each = Buffer.byteLength(JSON.stringify(syntheticPackage(INDEX.from)))
  await insertPackages(rig.client, { ...INDEX, count: Math.ceil(sizes.indexBytes / each) })
  await buildFeed(rig.client, INDEX.owner)
  const repositoryPath = `/registry/feeds/kicad/${INDEX.owner}/repository.json`
  const serving = await measureServing({ ...site, repositoryPath }, sizes.serving)
  await buildFeed(rig.client, '')
  return { serving, withWholeFeed: await publish(site) }
}

/** Says that the feed has changed, and waits for the server to build it. */
async function buildFeed(client: Client, owner: string): Promise<void> {
  await client.query(
    `insert into feeds (owner, visibility, revision) values ($1, 'public', 1)
    on conflict (owner, visibility) do update set revision = feeds.revision + 1`,
    [owner],
  )
  const isBuilt = async () => {
    const { rowCount } = await client.query(
      `select from feeds where owner = $1 and visibility = 'public' and built_revision = revision`,
      [owner],
    )
    return rowCount === 1
  }
  await waitUntil('the feed is built', isBuilt, { deadlineMs: BUILD_DEADLINE_MS })
}

async function measureSigned(rig: Rig, publish: Publish) {
  const { client } = rig
  await using site = await rig.start({ feedMaxMb: FEED_MB.tooLarge, isSigned: true })
  const begun = performance.now()
  const isSigned = async () => {
    const { rows } = await client.query<{ signed: boolean }>(
      `select exists (select from trust_roles where role = 'timestamp')
        and not exists (select from sparse_marks) as signed`,
    )
    return rows[0]?.signed === true
  }
  await waitUntil('everything is signed', isSigned, { deadlineMs: SIGNING_DEADLINE_MS, intervalMs: 100 })
  const firstSigningSeconds = (performance.now() - begun) / 1000
  console.log(`  signed for the first time within ${firstSigningSeconds.toFixed(1)} s`)
  const signed = await publish(site)
  console.log(`  published with signatures, ${signed.p50Ms.toFixed(0)} ms`)
  await site[Symbol.asyncDispose]()
  // As if it had never been switched on: the next size begins without it.
  await client.query('truncate trust_roles, trust_metadata, sparse_files, sparse_marks')
  return { signed, firstSigningSeconds }
}
