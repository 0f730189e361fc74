import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '@patchbay/testkit/postgres'
import { Client } from 'pg'
import { objectsInFolder, type Site, type SiteStart, startSite } from './site.ts'
import { type TrustFiles, writeTrustFolder } from './trust-folder.ts'

/** One PostgreSQL and one folder of objects; servers come and go, one at a time. */
export interface Rig extends AsyncDisposable {
  readonly postgres: Postgres
  readonly url: string
  readonly client: Client
  readonly trust: TrustFiles
  another(): Promise<SecondRig>
  start(options: Pick<SiteStart, 'feedMaxMb' | 'trust'>): Promise<Site>
}

/** An empty database beside the first, for a server that keeps its archives elsewhere. */
export interface SecondRig extends AsyncDisposable {
  readonly client: Client
  start(options: Pick<SiteStart, 'feedMaxMb' | 'objects'>): Promise<Site>
}

/** The engine must not be what differs between rounds: no checkpoint and no vacuum happens to fall into one. */
const SETTINGS = {
  shared_buffers: '1GB',
  max_wal_size: '16GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
  maintenance_work_mem: '512MB',
}

export async function startRig(): Promise<Rig> {
  await using starting = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-registry-'))
  starting.defer(() => rm(folder, { recursive: true, force: true }))
  const objectsFolder = join(folder, 'objects')
  await mkdir(objectsFolder)
  await chmod(folder, 0o700)
  const trust = await writeTrustFolder(folder)
  const postgres = starting.use(await startPostgres({ settings: SETTINGS }))
  const url = await postgres.createDatabase('bench')
  const client = new Client({ connectionString: url })
  await client.connect()
  starting.defer(() => client.end())
  const running = starting.move()
  return {
    postgres,
    url,
    client,
    trust,
    start: (options) => startSite({ databaseUrl: url, objects: objectsInFolder(objectsFolder), ...options }),
    another: () => startSecond(postgres),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function startSecond(postgres: Postgres): Promise<SecondRig> {
  const url = await postgres.createDatabase('second')
  const client = new Client({ connectionString: url })
  await client.connect()
  return {
    client,
    start: (options) => startSite({ databaseUrl: url, ...options }),
    [Symbol.asyncDispose]: () => client.end(),
  }
}
