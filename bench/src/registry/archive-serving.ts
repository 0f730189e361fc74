import { createHash, randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { Secret } from '@patchbay/kernel/log'
import { createObjects } from '@patchbay/kernel/objects'
import { type Radosgw, radosgwAvailable, startRadosgw } from '@patchbay/testkit/radosgw'
import { askSuccess } from '../http.ts'
import { inTurns, type Rounds } from '../report.ts'
import { addDatabase, type Database } from '../server.ts'
import { insertPublisher, pack, publish } from './publishing.ts'
import { bucketUrl, objectsInS3, type Rig, startSite } from './rig.ts'
import { type Host, type Serving, serve, startFiles } from './serving.ts'
import { startVerdaccio } from './verdaccio.ts'

export const ARCHIVE_HOSTS = ['nginx', 'verdaccio', 'files', 's3', 'bucket'] as const
export type ArchiveHost = (typeof ARCHIVE_HOSTS)[number]

export interface ArchiveSize {
  /** Of what is in the archive; it does not compress. */
  readonly bytes: number
  readonly connections: number
  readonly seconds: number
}

export interface ArchiveSizes {
  readonly archives: readonly ArchiveSize[]
  readonly rounds: number
}

export interface ArchiveCost {
  /** Of the whole archive. */
  readonly bytes: number
  readonly connections: number
  readonly rounds: Rounds<ArchiveHost, Serving>
}

export interface ArchiveServingResult {
  /** Those that are installed here. */
  readonly hosts: readonly ArchiveHost[]
  readonly costs: readonly ArchiveCost[]
}

interface ArchiveServer extends Host {
  readonly paths: readonly string[]
}

const FEED_MB = 10
const SIGNED = {
  seconds: 3_600,
  contentType: 'application/zip',
  contentDisposition: 'attachment',
  cacheControl: 'no-store',
}

/**
 * The bulk of a registry's traffic: the same archives from nginx, verdaccio, the server over a folder and over S3, and from the
 * bucket itself.
 */
export async function measureArchiveServing(rig: Rig, sizes: ArchiveSizes): Promise<ArchiveServingResult> {
  await using running = new AsyncDisposableStack()
  const archives = await Promise.all(sizes.archives.map(({ bytes }, index) => packRandom(bytes, index)))
  const hosts = new Map<ArchiveHost, ArchiveServer>()
  const files = Object.fromEntries(archives.map((archive, index) => [`${index}.zip`, archive]))
  const nginx = running.use(await startFiles(files))
  hosts.set('nginx', { ...nginx, paths: archives.map((_, index) => `/${index}.zip`) })
  const verdaccio = await startVerdaccio(archives)
  if (verdaccio !== undefined) hosts.set('verdaccio', running.use(verdaccio))
  const overFiles = running.use(await rig.start({ feedMaxMb: FEED_MB }))
  hosts.set('files', { ...overFiles, paths: await publishAll(overFiles, rig, archives) })
  if (radosgwAvailable()) {
    const bucket = running.use(await startRadosgw())
    const other = running.use(await addDatabase(rig.postgres, 'second'))
    const overS3 = running.use(await startSite(other.url, FEED_MB, await objectsInS3(bucket)))
    hosts.set('s3', { ...overS3, paths: await publishAll(overS3, other, archives) })
    hosts.set('bucket', await signedPaths(bucket, archives))
  }
  const costs: ArchiveCost[] = []
  for (const [index, { connections, seconds }] of sizes.archives.entries()) {
    const archive = archives[index] ?? Buffer.alloc(0)
    for (const host of hosts.values()) await requireSameBytes(host, index, archive)
    const rounds = await inTurns([...hosts.keys()], sizes.rounds, (name) => {
      const host = hosts.get(name)
      if (host === undefined) throw new Error('no such host')
      return serve(host, { path: host.paths[index] ?? '' }, { connections, seconds })
    })
    costs.push({ bytes: archive.byteLength, connections, rounds })
  }
  return { hosts: [...hosts.keys()], costs }
}

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const identifierOf = (index: number) => `com.example.archives.size-${index}`

/** A package of as many random bytes. */
function packRandom(bytes: number, index: number): Promise<Buffer> {
  const metadata = {
    name: `Archive ${index}`,
    description: 'An archive of a certain size',
    description_full: 'Downloaded again and again.',
    identifier: identifierOf(index),
    type: 'plugin',
    author: { name: 'Bench', contact: { web: 'https://example.com' } },
    license: 'MIT',
    resources: {},
    versions: [{ version: '1.0.0', status: 'stable', tool_version: '8.0' }],
  }
  return pack({ 'metadata.json': JSON.stringify(metadata), 'plugins/data.bin': randomBytes(bytes) })
}

async function publishAll(
  { port }: Host,
  { client }: Database,
  archives: readonly Buffer[],
): Promise<string[]> {
  const publisher = await insertPublisher(client, 'archives')
  for (const archive of archives) await publish(port, publisher, archive)
  return archives.map((archive, index) => {
    return `/registry/archives/${sha256Of(archive)}/${identifierOf(index)}-1.0.0.zip`
  })
}

/** As a client is sent there with `PATCHBAY_ARCHIVE_DELIVERY=redirect`. */
async function signedPaths(bucket: Radosgw, archives: readonly Buffer[]): Promise<ArchiveServer> {
  const { accessKeyId, secretAccessKey, endpoint, pid } = bucket
  await using objects = await createObjects({
    url: bucketUrl(bucket),
    accessKeyId,
    secretAccessKey: new Secret(secretAccessKey),
    spoolDir: tmpdir(),
  })
  const paths: string[] = []
  for (const archive of archives) {
    const address = await objects.signAddress?.(sha256Of(archive), { ...SIGNED, now: new Date() })
    paths.push((address ?? '').slice(endpoint.length))
  }
  return { port: Number(new URL(endpoint).port), pid, paths }
}

async function requireSameBytes(
  { port, paths }: ArchiveServer,
  index: number,
  archive: Buffer,
): Promise<void> {
  const { body } = await askSuccess(port, { path: paths[index] ?? '' })
  if (!body.equals(archive)) throw new Error(`${paths[index]}: other bytes than were published`)
}
