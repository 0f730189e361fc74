import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Secret } from '@patchbay/kernel/log'
import { createObjects } from '@patchbay/kernel/objects'
import { packFolder } from '@patchbay/package-archive'
import { startNginx } from '@patchbay/testkit/nginx'
import { type Radosgw, radosgwAvailable, startRadosgw } from '@patchbay/testkit/radosgw'
import { inTurns, type Rounds } from '../gateway/turns.ts'
import { cpuOf } from '../cpu.ts'
import { publish } from './publishing.ts'
import { insertPublisher } from './publishers.ts'
import { askSuccess } from './raw-answer.ts'
import type { Rig } from './rig.ts'
import type { Serving } from './serving.ts'
import { bucketUrl, objectsInS3, type Site } from './site.ts'
import { startVerdaccio } from './verdaccio.ts'
import { loadPaths } from './wrk.ts'

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

interface Host {
  readonly port: number
  readonly pid: number
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
  const hosts = new Map<ArchiveHost, Host>()
  hosts.set('nginx', running.use(await startFiles(archives)))
  const verdaccio = await startVerdaccio(archives)
  if (verdaccio !== undefined) hosts.set('verdaccio', running.use(verdaccio))
  const overFiles = running.use(await rig.start({ feedMaxMb: FEED_MB }))
  hosts.set('files', { ...overFiles, paths: await publishAll(overFiles, rig, archives) })
  if (radosgwAvailable()) {
    const bucket = running.use(await startRadosgw())
    const other = running.use(await rig.another())
    const overS3 = running.use(await other.start({ feedMaxMb: FEED_MB, objects: await objectsInS3(bucket) }))
    hosts.set('s3', { ...overS3, paths: await publishAll(overS3, other, archives) })
    hosts.set('bucket', await signedPaths(bucket, archives))
  }
  const names = [...hosts.keys()]
  const costs: ArchiveCost[] = []
  for (const [index, { connections, seconds }] of sizes.archives.entries()) {
    const archive = archives[index] ?? Buffer.alloc(0)
    for (const host of hosts.values()) await requireSameBytes(host, index, archive)
    const rounds = await inTurns(names, sizes.rounds, (name) =>
      measure(hosts.get(name), index, connections, seconds),
    )
    costs.push({ bytes: archive.byteLength, connections, rounds })
  }
  return { hosts: names, costs }
}

/** A package of as many random bytes. */
async function packRandom(bytes: number, index: number): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-pack-'))
  try {
    const content = join(folder, 'content')
    await mkdir(join(content, 'plugins'), { recursive: true })
    await writeFile(join(content, 'plugins', 'data.bin'), randomBytes(bytes))
    await writeFile(join(content, 'metadata.json'), JSON.stringify(metadataOf(index)))
    const out = join(folder, 'archive.zip')
    await packFolder(content, { out })
    return await readFile(out)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function metadataOf(index: number) {
  return {
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
}

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const identifierOf = (index: number) => `com.example.archives.size-${index}`

async function publishAll(
  { port }: Site,
  { client }: Pick<Rig, 'client'>,
  archives: readonly Buffer[],
): Promise<string[]> {
  const publisher = await insertPublisher(client, 'archives')
  for (const archive of archives) await publish(port, publisher, archive)
  return archives.map((archive, index) => {
    return `/registry/archives/${sha256Of(archive)}/${identifierOf(index)}-1.0.0.zip`
  })
}

/** As a client is sent there with `PATCHBAY_ARCHIVE_DELIVERY=redirect`. */
async function signedPaths(bucket: Radosgw, archives: readonly Buffer[]): Promise<Host> {
  const { accessKeyId, secretAccessKey, endpoint, pid } = bucket
  await using objects = await createObjects({
    url: bucketUrl(bucket),
    accessKeyId,
    secretAccessKey: new Secret(secretAccessKey),
    spoolDir: tmpdir(),
  })
  const signed = await Promise.all(
    archives.map(async (archive) => {
      const address = await objects.signAddress?.(sha256Of(archive), { ...SIGNED, now: new Date() })
      return address ?? ''
    }),
  )
  const paths = signed.map((address) => address.slice(endpoint.length))
  return { port: Number(new URL(endpoint).port), pid, paths }
}

async function startFiles(archives: readonly Buffer[]): Promise<Host & AsyncDisposable> {
  const paths = archives.map((_, index) => `/${index}.zip`)
  const nginx = await startNginx({
    config: async ({ folder, port }) => {
      for (const [index, archive] of archives.entries())
        await writeFile(join(folder, `${index}.zip`), archive)
      return `
        sendfile on; tcp_nopush on; tcp_nodelay on;
        keepalive_timeout 300s; keepalive_requests 100000000;
        open_file_cache max=100 inactive=300s; open_file_cache_valid 300s;
        server { listen 127.0.0.1:${port}; access_log off; root ${folder}; }`
    },
  })
  return { ...nginx, paths }
}

async function requireSameBytes({ port, paths }: Host, index: number, archive: Buffer): Promise<void> {
  const { body } = await askSuccess(port, paths[index] ?? '')
  if (!body.equals(archive)) throw new Error(`${paths[index]}: other bytes than were published`)
}

async function measure(
  host: Host | undefined,
  index: number,
  connections: number,
  seconds: number,
): Promise<Serving> {
  if (host === undefined) throw new Error('no such host')
  const before = cpuOf(host.pid)
  const load = { port: host.port, paths: [host.paths[index] ?? ''], connections, seconds }
  const { requests, perSecond } = await loadPaths(load)
  return { perSecond, cpu: ((cpuOf(host.pid) - before) * 1e6) / requests }
}
