import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { IdentityTables } from '@patchbay/identity'
import { createDatabase, migrate } from '@patchbay/kernel/postgres'
import { depth } from '@patchbay/testkit/depth'
import { freePort } from '@patchbay/testkit/ports'
import type { RunningProcess } from '@patchbay/testkit/processes'
import { startRedis } from '@patchbay/testkit/redis'
import { expect, test } from 'vitest'
import { makeAccount, newHandle, openSession } from '../installation/accounts.ts'
import { preparedDatabase } from '../installation/database.ts'
import { parseAssignments, readText } from './files.ts'
import { startMixedLoad } from './mixed-load.ts'
import { startNginxExample } from './nginx-example.ts'
import type { Proxy } from './proxy.ts'
import { ask } from './proxy-client.ts'
import {
  type AddedMigrations,
  createNextVersion,
  migrationsOf,
  startVersion,
  thisVersion,
  type Version,
} from './versions.ts'

const NODES = depth({ common: 2, deep: 3 })
/** How often each kind of request is made before the next step. */
const BETWEEN_STEPS = depth({ common: 1, deep: 10 })
const LONG = { timeout: depth({ common: 240_000, deep: 1_800_000 }) }

/** In the tables that are written most. */
const EXPAND: AddedMigrations = {
  'packages/kernel': '-- expand\nalter table installation add column label text;\n',
  'areas/identity': `-- expand
    alter table sessions add column device text, add column is_trusted boolean not null default false;
    alter table api_keys add column note text not null default '';
    create index if not exists sessions_by_kind on sessions (kind, created_at);
    create table session_notes (session uuid references sessions (id) on delete cascade, note text not null);`,
  'areas/registry': `-- expand
    alter table packages add column stars bigint not null default 0;
    alter table package_versions add column size_on_disk bigint;
    create index if not exists packages_by_stars on packages (stars);`,
  'areas/panels': `-- expand
    alter table workspaces add column description text not null default '';
    alter table panel_states add column pinned_at timestamptz;
    alter table panel_actions add column device text;`,
}
/** What the version with the migrations above does not use. */
const CONTRACT: AddedMigrations = {
  'areas/identity': `-- contract
    drop table session_notes;
    alter table sessions drop column device;`,
  'areas/panels': '-- contract\nalter table panel_actions drop column device;\n',
}

const versionsBehind = async (proxy: Proxy) => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => ask(proxy, '/api/about')))
  return new Set(answers.map(({ text }) => (JSON.parse(text) as { version: string }).version))
}

test(
  '[DP-350][DP-351][DP-352] every server is replaced by a newer version under load behind nginx: nothing fails, nothing is lost',
  LONG,
  async () => {
    await using stack = new AsyncDisposableStack()
    const later = stack.use(await createNextVersion(thisVersion, '1000.0.0', EXPAND))
    const last = stack.use(await createNextVersion(later, '1001.0.0', CONTRACT))
    const { environment, proxy, ports, db } = await startInstallation(stack)
    const nodes = new Map<number, RunningProcess>()
    const start = async (version: Version, port: number) => {
      const node = await startVersion(version, port, environment)
      stack.defer(() => node.kill('SIGKILL'))
      nodes.set(port, node)
      if (node.child.exitCode !== null) throw new Error(node.output())
    }
    /** As an operator does it: SIGTERM, its end, the other version in its place. */
    const replace = async (version: Version, port: number) => {
      await load.goesOn(BETWEEN_STEPS)
      const node = nodes.get(port)
      node?.child.kill('SIGTERM')
      expect(await node?.exited).toEqual([0, null])
      await start(version, port)
    }
    await Promise.all(ports.map((port) => start(thisVersion, port)))
    const ada = await makeAccount({ db }, newHandle())
    const session = await openSession({ db }, ada)
    const load = stack.use(await startMixedLoad({ proxy, session, handle: ada.handle }))
    const [first = 0, ...others] = ports

    await replace(later, first)
    expect(await versionsBehind(proxy)).toEqual(new Set([thisVersion.name, later.name]))
    // A node of the version before that has to start again can.
    await replace(thisVersion, others[0] ?? 0)
    expect(await versionsBehind(proxy)).toEqual(new Set([thisVersion.name, later.name]))
    for (const port of others) await replace(later, port)
    expect(await versionsBehind(proxy)).toEqual(new Set([later.name]))
    for (const port of depth({ common: [], deep: ports })) await replace(last, port)
    await load.goesOn(BETWEEN_STEPS)
    const { failed, lost, pages } = await load.stop()
    expect({ failed, lost }).toEqual({ failed: [], lost: [] })
    // Three were open at first, and every node that had one is gone.
    expect(pages).toBeGreaterThan(3)

    await migrate({ url: environment.DATABASE_URL, migrations: await migrationsOf(last) })
    const refused = stack.use(await startVersion(thisVersion, await freePort(), environment))
    expect(refused.child.exitCode).toBe(1)
    expect(refused.output()).toMatch(/the database has \w+\/\d{4}_of_the_test\.sql/)
    expect(refused.output()).not.toMatch(/listening/)
  },
)

/** A database of this version, what the nodes share, and the shipped nginx in front of ports that nobody has yet. */
async function startInstallation(stack: AsyncDisposableStack) {
  const [database, redis] = await Promise.all([preparedDatabase(), startRedis()])
  stack.use(database)
  stack.use(redis)
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-upgrade-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const ports: number[] = []
  for (let count = 0; count < NODES; count += 1) ports.push(await freePort())
  const { db } = stack.use(
    createDatabase<IdentityTables>({ url: database.url, poolSize: 1, applicationName: 'test' }),
  )
  return {
    db,
    ports,
    proxy: stack.use(await startNginxExample(ports)),
    environment: {
      ...parseAssignments(await readText('deploy/systemd/server.env.example')),
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      PATCHBAY_OBJECTS_URL: pathToFileURL(join(folder, 'objects')).href,
      PATCHBAY_SPOOL_FOLDER: join(folder, 'spool'),
      PATCHBAY_PROXY_PORT: '0',
      PATCHBAY_DRAIN_SECONDS: '10',
      // All come from one address and with one key.
      PATCHBAY_INTENTS_PER_MINUTE: '100000',
      PATCHBAY_PUBLISHES_PER_MINUTE: '100000',
      PATCHBAY_PANEL_ACTIONS_PER_MINUTE: '1000000',
    },
  }
}
