import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Publication } from '@patchbay/contracts/registry'
import { packFolder } from '@patchbay/package-archive'
import type { Client } from 'pg'
import { cpuOf, cpuOfPostgres, type RunningNode, temporaryFolder, withCpu } from '../processes.ts'
import { percentile } from '../report.ts'
import type { Database } from '../server.ts'
import { ownerOf, PACKAGES_PER_OWNER, syntheticPackage } from './synthetic-package.ts'

export interface PublishCost {
  readonly p50Ms: number
  readonly p99Ms: number
  /** Milliseconds of the server's CPU for one publish, and of PostgreSQL's. Less at the mercy of what else runs. */
  readonly cpuMs: { readonly server: number; readonly postgres: number }
  /** Answered before the feeds carried it. */
  readonly late: number
}

export interface PublishSizes {
  readonly publishes: number
  readonly warmUp: number
}

/**
 * One version after the other over HTTP, each of another package of an owner that nobody published for before. A
 * publish is answered once the owner's feeds carry it, so their rebuild is in the figure.
 */
export async function measurePublishing(
  { port, pid }: RunningNode,
  { client, postgres }: Database,
  ownerNumber: number,
  { publishes, warmUp }: PublishSizes,
): Promise<PublishCost> {
  const first = ownerNumber * PACKAGES_PER_OWNER
  // The archives are those of plugins, and the type of a package that is there cannot change.
  const numbers = Array.from({ length: PACKAGES_PER_OWNER }, (_, index) => first + index)
    .filter((number) => syntheticPackage(number).type === 'plugin')
    .slice(0, warmUp + publishes)
  const publisher = await insertPublisher(client, ownerOf(first))
  const archives = await Promise.all(numbers.map(packNextVersion))
  for (const archive of archives.splice(0, warmUp)) await publish(port, publisher, archive)
  const times: number[] = []
  let late = 0
  const meters = { server: () => cpuOf(pid), postgres: () => cpuOfPostgres(postgres.pid()) }
  const { cpu } = await withCpu(meters, async () => {
    for (const archive of archives) {
      const start = performance.now()
      const publication = await publish(port, publisher, archive)
      times.push(performance.now() - start)
      if (!publication.is_indexed) late += 1
    }
  })
  await requirePublished(client, publisher.owner, numbers.length)
  const each = (microseconds: number) => microseconds / 1000 / times.length
  return {
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    cpuMs: { server: each(cpu.server), postgres: each(cpu.postgres) },
    late,
  }
}

/** Somebody whose name is an owner, signed in as an application. */
interface Publisher {
  readonly owner: string
  readonly token: string
}

const TOKEN_LENGTH = 43

export async function insertPublisher(client: Client, owner: string): Promise<Publisher> {
  const token = `tok_${createHash('sha256').update(owner).digest('base64url').padEnd(TOKEN_LENGTH, 'x')}`
  await client.query(`insert into handles (handle, kind) values ($1, 'person') on conflict do nothing`, [
    owner,
  ])
  const { rows } = await client.query<{ id: string }>(
    `insert into people (id, handle, display_name, created_at, sessions_seen_at)
    values (gen_random_uuid(), $1, $1, now(), now()) returning id`,
    [owner],
  )
  await client.query(
    `insert into sessions (person_id, kind, token_hash, user_agent, network, created_at, last_used_at, expires_at)
    values ($1, 'application', $2, 'bench', '127.0.0.1', now(), now(), now() + interval '30 days')`,
    [rows[0]?.id, createHash('sha256').update(token).digest()],
  )
  return { owner, token }
}

export async function publish(
  port: number,
  { owner, token }: Publisher,
  archive: Buffer,
): Promise<Publication> {
  const answer = await fetch(`http://127.0.0.1:${port}/registry/owners/${owner}/packages`, {
    method: 'POST',
    headers: { 'content-type': 'application/zip', authorization: `Bearer ${token}` },
    body: new Uint8Array(archive),
  })
  if (answer.status !== 201) throw new Error(`a publish was answered ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Publication
}

/** What was answered must be in the tables. */
async function requirePublished(client: Client, owner: string, published: number): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::integer as count from package_versions where version = '2.0.0' and published_by = $1`,
    [owner],
  )
  const count = rows[0]?.count ?? 0
  if (count !== published) throw new Error(`${published} were published, ${count} are in the database`)
}

/** An archive of these files, packed as an author would pack it. */
export async function pack(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  await using folder = await temporaryFolder()
  const [content, out] = [join(folder.path, 'content'), join(folder.path, 'archive.zip')]
  for (const [name, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(content, name)), { recursive: true })
    await writeFile(join(content, name), bytes)
  }
  await packFolder(content, { out })
  return await readFile(out)
}

/** The smallest picture there is. */
const ICON = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)
const CODE = Array.from({ length: 400 }, (_, line) => `value_${line} = compute(${line * 7919})`).join('\n')

function packNextVersion(number: number): Promise<Buffer> {
  const platforms = ['linux', 'macos', 'windows']
  const versions = [{ version: '2.0.0', status: 'stable', tool_version: '8.0', platforms }]
  return pack({
    'metadata.json': JSON.stringify({ ...syntheticPackage(number), versions }),
    'resources/icon.png': ICON,
    'plugins/__init__.py': `number = ${number}\n${CODE}\n`,
  })
}
