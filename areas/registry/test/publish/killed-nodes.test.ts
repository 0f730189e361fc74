import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { collectMigrations, kernelMigrations, migrate } from '@patchbay/kernel/postgres'
import { depth } from '@patchbay/testkit/depth'
import { type Postgres, startPostgres } from '@patchbay/testkit/postgres'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { registryMigrations } from '../../src/tables.ts'
import { archiveOf, ICON } from '../archive.ts'
import { createCaller } from '../caller.ts'
import { readObject } from '../looking.ts'
import { NO_INDEXER, type RegistryNode, startRegistryNode, temporaryFolder } from '../start.ts'

/** As many as there is time for, up to the most. */
const ROUNDS = depth({ common: { least: 2, most: 2 }, deep: { least: 8, most: 100 } })
const TIME_MS = 80_000
/** Where nothing was cut off, or nothing answered, nothing was shown: then there are more, up to this. */
const MOST_ROUNDS = ROUNDS.most + 20
const RESTARTS = depth({ common: 1, deep: Number.POSITIVE_INFINITY })
const NODES = 2
const AT_ONCE = 8

const SCRIPT = fileURLToPath(new URL('node-process.ts', import.meta.url))

interface Attempt {
  readonly identifier: string
  /** Absent: the node was gone before it answered. */
  readonly status: number | undefined
}

async function startCluster() {
  await using cleanup = new AsyncDisposableStack()
  const postgres = cleanup.use(await startPostgres())
  const databaseUrl = await postgres.createDatabase('registry')
  await migrate({
    url: databaseUrl,
    migrations: await collectMigrations([kernelMigrations, registryMigrations]),
  })
  const folder = cleanup.use(await temporaryFolder())
  // What it compiles is kept when it ends: of those that are killed, nothing is.
  await promisify(execFile)(process.execPath, [SCRIPT])
  const survivor = cleanup.use(
    await startRegistryNode({ databaseUrl, folder: folder.path, indexer: NO_INDEXER, node: 'survivor' }),
  )
  const spawn = () => startProcess(process.execPath, [SCRIPT, databaseUrl, folder.path])
  const owned = cleanup.move()
  return { postgres, survivor, spawn, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Many publications at once on one node, which is killed at a random moment of them. */
async function killWhilePublishing(
  spawn: () => ReturnType<typeof startProcess>,
  names: () => string,
): Promise<Attempt[]> {
  await using node = spawn()
  const listening = () => /listening on (\S+)/.exec(node.output())?.[1]
  await waitUntil('the node listens', () => listening() !== undefined, { deadlineMs: 60_000, intervalMs: 5 })
  const caller = createCaller(listening() ?? '', 'ada')
  let ended = 0
  const attempts = Array.from({ length: AT_ONCE }, async () => {
    const identifier = names()
    // Icons of their own: one that all share would be there whatever happened to it.
    const icon = Buffer.concat([ICON, Buffer.from(identifier)])
    const status = await caller.publish(archiveOf({ identifier, code: identifier, icon })).then(
      (response) => response.status,
      () => undefined,
    )
    ended += 1
    return { identifier, status }
  })
  // By progress and not by time alone: on a slow machine nothing at all would have happened yet.
  const enough = Math.floor(Math.random() * AT_ONCE)
  await waitUntil('some are through', () => ended >= enough, { deadlineMs: 5_000, intervalMs: 2 }).catch(
    () => undefined,
  )
  await sleep(Math.random() * 30)
  await node.kill('SIGKILL')
  return await Promise.all(attempts)
}

/** At least once. */
async function restartNowAndThen(postgres: Postgres, signal: AbortSignal): Promise<number> {
  for (let count = 0; ; count += 1) {
    if (count === RESTARTS) return count
    await sleep(3_000, undefined, { signal }).catch(() => undefined)
    if (signal.aborted && count > 0) return count
    if (count % 2 === 0) await postgres.kill()
    await postgres.restart()
  }
}

/** What anybody can see, looked at to the last byte. */
async function findBroken(node: RegistryNode): Promise<string[]> {
  const rows = await node.db
    .selectFrom('package_versions')
    .innerJoin('packages', 'packages.identifier', 'package_versions.identifier')
    .select(['packages.identifier', 'archive_sha256', 'manifest_sha256', 'icon_sha256', 'latest_version'])
    .select((row) =>
      row
        .selectFrom('registry_audit')
        .select((audit) => audit.fn.countAll<number>().as('count'))
        .whereRef('registry_audit.identifier', '=', 'packages.identifier')
        .as('entries'),
    )
    .execute()
  const broken: string[] = []
  for (const row of rows) {
    const isNamed = row.icon_sha256 !== null && row.latest_version === '1.0.0' && row.entries === 1
    // The store itself refuses bytes that do not hash to their name.
    const objects = [row.archive_sha256, row.manifest_sha256, row.icon_sha256 ?? '']
    const isWhole = await Promise.all(objects.map((sha256) => readObject(node, sha256))).then(
      () => true,
      () => false,
    )
    if (!isNamed || !isWhole) broken.push(row.identifier)
  }
  return broken
}

test(
  '[A-17][A-18] nodes are killed and PostgreSQL restarts: whatever can be seen is whole, and what was answered is there',
  async () => {
    await using cluster = await startCluster()
    const { postgres, survivor, spawn } = cluster
    const attempts: Attempt[] = []
    const broken: string[] = []
    let named = 0
    let rounds = 0
    const names = () => `com.example.p${(named += 1)}`
    const end = performance.now() + TIME_MS
    const stopping = new AbortController()
    const restarts = restartNowAndThen(postgres, stopping.signal)
    const cut = () => attempts.filter(({ status }) => status === undefined).length
    const answered = () => attempts.filter(({ status }) => status === 201)
    const isShown = () => Math.min(cut(), answered().length) > 0
    const isEnough = () =>
      rounds >= ROUNDS.least && (rounds >= ROUNDS.most || performance.now() > end) && isShown()
    const killing = Array.from({ length: NODES }, async () => {
      while (!isEnough() && rounds < MOST_ROUNDS) {
        rounds += 1
        attempts.push(...(await killWhilePublishing(spawn, names)))
        // The database may be away at the moment; the last look is at all of it.
        broken.push(...(await findBroken(survivor).catch(() => [])))
      }
    })
    await Promise.all(killing)
    stopping.abort()
    const restarted = await restarts
    await waitUntil(
      'the database is back',
      async () => (await survivor.ask('/registry/search')).status === 200,
    )

    broken.push(...(await findBroken(survivor)))
    expect(broken).toEqual([])
    const statuses = new Set(attempts.map(({ status }) => status))
    expect([undefined, 201, 503]).toEqual(expect.arrayContaining([...statuses]))
    const seen = new Set(
      (await survivor.db.selectFrom('package_versions').select('identifier').execute()).map(
        ({ identifier }) => identifier,
      ),
    )
    expect(answered().filter(({ identifier }) => !seen.has(identifier))).toEqual([])
    process.stdout.write(
      `${rounds} nodes killed, ${restarted} restarts of PostgreSQL, ${attempts.length} publications: ${answered().length} answered, ${cut()} cut off, ${seen.size} to be seen\n`,
    )
    expect(isShown()).toBe(true)

    // Nothing is stuck: whoever tries again succeeds.
    for (const { identifier } of attempts.slice(-AT_ONCE)) {
      const icon = Buffer.concat([ICON, Buffer.from(identifier)])
      const again = await survivor.as('ada').publish(archiveOf({ identifier, code: identifier, icon }))
      expect(again.status).toBe(seen.has(identifier) ? 200 : 201)
    }

    await postgres.stop()
    expect((await survivor.as('ada').publish(archiveOf({ version: '2' }))).status).toBe(503)
  },
  3 * TIME_MS,
)
