import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { fileOf, type Migration, migrate } from '@patchbay/kernel/postgres'
import { describeSchema } from '@patchbay/testkit/schema'
import { expect, test } from 'vitest'
import { serverMigrations } from '../src/index.ts'
import { emptyDatabase } from './start.ts'

/** What is on its way to the next release, and what each release had. */
const FOLDER = fileURLToPath(new URL('../../../docs/reference/schema', import.meta.url))

/** They were there before migrations had to say of which kind they are. Nothing is added here. */
const WITHOUT_KIND = [
  'kernel/0001_installation.sql',
  'identity/0001_identity.sql',
  'identity/0002_forgotten_intents.sql',
  'identity/0003_organizations.sql',
  'registry/0001_registry.sql',
  'registry/0002_runtimes_and_epochs.sql',
  'registry/0003_yanked_and_deleted_versions.sql',
  'registry/0004_quarantine.sql',
  'registry/0005_feed_addresses.sql',
  'panels/0001_panels.sql',
  'panels/0002_bound_tickets.sql',
  'panels/0003_closed_tabs.sql',
  'panels/0004_action_retention.sql',
]

const lineOf = (migration: Migration) =>
  `migration ${fileOf(migration)} ${migration.kind} ${migration.sha256}`

/** The schema that these migrations leave, and which they are. */
async function describeAfter(migrations: readonly Migration[]): Promise<string> {
  await using database = await emptyDatabase()
  await migrate({ url: database.url, migrations })
  return `${migrations.map(lineOf).join('\n')}\n\n${await describeSchema(database.url)}`
}

test('[K-857] the committed schema is what the migrations make (`pnpm vitest run apps/server/test/schema.test.ts -u`)', async () => {
  await expect(await describeAfter(await serverMigrations())).toMatchFileSnapshot(`${FOLDER}/unreleased.txt`)
})

test('[K-857] the schema of each release is made by the migrations that it had', async () => {
  const migrations = await serverMigrations()
  for (const release of await readdir(FOLDER)) {
    const text = await readFile(`${FOLDER}/${release}`, 'utf8')
    const had = migrations.filter((migration) => text.includes(`${lineOf(migration)}\n`))
    expect({ release, schema: await describeAfter(had) }).toEqual({ release, schema: text })
  }
})

test('[K-855] every migration says of which kind it is, but for those that are older than the kinds', async () => {
  const silent = (await serverMigrations()).filter(({ sql }) => !/^-- (?:expand|contract)\n/.test(sql))
  expect(silent.map(fileOf)).toEqual(WITHOUT_KIND)
})

test('[K-858] whatever an expand migration finds is there after it', async () => {
  const migrations = await serverMigrations()
  await using database = await emptyDatabase()
  for (const [index, migration] of migrations.entries()) {
    const before = migration.kind === 'expand' ? await describeSchema(database.url) : ''
    await migrate({ url: database.url, migrations: migrations.slice(0, index + 1) })
    const after = new Set((await describeSchema(database.url)).split('\n'))
    const gone = before.split('\n').filter((line) => line !== '' && !after.has(line))
    expect({ migration: fileOf(migration), gone }).toEqual({ migration: fileOf(migration), gone: [] })
  }
})
