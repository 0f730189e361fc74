import type { Publication } from '@patchbay/contracts'
import { percentile } from '../gateway/percentile.ts'
import { cpuOf, cpuOfPostgres } from '../cpu.ts'
import { packNextVersions } from './archives.ts'
import { insertPublisher, type Publisher } from './publishers.ts'
import type { Rig } from './rig.ts'
import type { Site } from './site.ts'
import { ownerOf, PACKAGES_PER_OWNER } from './synthetic-package.ts'

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
  { port, pid }: Site,
  { client, postgres }: Pick<Rig, 'client' | 'postgres'>,
  ownerNumber: number,
  { publishes, warmUp }: PublishSizes,
): Promise<PublishCost> {
  const first = ownerNumber * PACKAGES_PER_OWNER
  const numbers = Array.from({ length: warmUp + publishes }, (_, index) => first + index)
  const publisher = await insertPublisher(client, ownerOf(first))
  const archives = await packNextVersions(numbers)
  for (const archive of archives.splice(0, warmUp)) await publish(port, publisher, archive)
  const readCpu = () => [cpuOf(pid), cpuOfPostgres(postgres.pid())] as const
  const before = readCpu()
  const times: number[] = []
  let late = 0
  for (const archive of archives) {
    const start = performance.now()
    const publication = await publish(port, publisher, archive)
    times.push(performance.now() - start)
    if (!publication.is_indexed) late += 1
  }
  const after = readCpu()
  await requirePublished(client, publisher.owner, numbers.length)
  const [server = 0, database = 0] = after.map(
    (value, index) => ((value - (before[index] ?? 0)) * 1000) / publishes,
  )
  return {
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    cpuMs: { server, postgres: database },
    late,
  }
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
async function requirePublished(client: Rig['client'], owner: string, published: number): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::integer as count from package_versions where version = '2.0.0' and published_by = $1`,
    [owner],
  )
  const count = rows[0]?.count ?? 0
  if (count !== published) throw new Error(`${published} were published, ${count} are in the database`)
}
