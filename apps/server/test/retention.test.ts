import { boardsRetention } from '@patchbay/boards'
import { contentRetention } from '@patchbay/content'
import { devicesRetention } from '@patchbay/devices'
import { identityRetention } from '@patchbay/identity'
import { createLog } from '@patchbay/kernel/log'
import { createDatabase, kernelRetention, type Retention } from '@patchbay/kernel/postgres'
import { panelsRetention } from '@patchbay/panels'
import { registryRetention } from '@patchbay/registry'
import { expect, test } from 'vitest'
import { serverConfig } from '../src/index.ts'
import { migratedDatabase } from './start.ts'

interface Schema {
  readonly 'information_schema.tables': { readonly table_schema: string; readonly table_name: string }
}

const AREAS: Readonly<Record<string, Readonly<Record<string, Retention>>>> = {
  Installation: kernelRetention,
  Identity: identityRetention,
  Registry: registryRetention,
  Panels: panelsRetention,
  Files: contentRetention,
  Devices: devicesRetention,
  Boards: boardsRetention,
}
const VARIABLES = Object.values(serverConfig.settings).map(({ variable }) => variable)

test('[K-850] O4: every table has a bound or a retention, and every entry a table', async () => {
  await using cloned = await migratedDatabase()
  await using database = createDatabase<Schema>({
    url: cloned.url,
    poolSize: 1,
    applicationName: 'test',
    log: createLog({ level: 'silent', process: 'server' }),
  })
  const rows = await database.db
    .selectFrom('information_schema.tables')
    .select('table_name as name')
    .where('table_schema', '=', 'public')
    .execute()
  const entries = Object.values(AREAS).flatMap((area) => Object.keys(area))
  expect(entries.toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
})

test('[K-850] O4: a setting that an entry names is one', () => {
  const entries = Object.values(AREAS).flatMap((area) => Object.values(area))
  const named = entries.flatMap((entry) => ('setting' in entry ? [entry.setting] : []))
  expect(new Set(named)).toEqual(
    new Set([
      'PATCHBAY_ACTIONS_RETENTION_DAYS',
      'PATCHBAY_AUDIT_RETENTION_DAYS',
      'PATCHBAY_DEVICE_HOURS_DAYS',
      'PATCHBAY_DEVICE_MINUTES_WEEKS',
      'PATCHBAY_DEVICE_SECONDS_DAYS',
      'PATCHBAY_FILES_GIB_PER_OWNER',
      'PATCHBAY_RECORDINGS_DAYS',
    ]),
  )
  expect(VARIABLES).toEqual(expect.arrayContaining(named))
})

test('[K-850] O4: the list in docs is what the code says (`pnpm vitest run apps/server/test/retention.test.ts -u`)', async () => {
  const lines = Object.entries(AREAS).flatMap(([area, tables]) => [
    '',
    `## ${area}`,
    '',
    '| table | its rows | setting |',
    '|---|---|---|',
    ...Object.entries(tables).map(([name, entry]) => `| \`${name}\` | ${wordsOf(entry)} |`),
  ])
  const head = [
    '# What is kept, and for how long',
    '',
    'Every table of the database, with what bounds its rows or for how long they are kept. What has expired is deleted in small',
    'batches by every node. Generated; a table that is not here fails a test.',
  ]
  await expect(`${[...head, ...lines].join('\n')}\n`).toMatchFileSnapshot(
    '../../../docs/reference/retention.md',
  )
})

function wordsOf(entry: Retention): string {
  if ('bound' in entry) return `bounded: ${entry.bound} |`
  return `kept for a time: ${entry.keptFor} | ${entry.setting === undefined ? '' : `\`${entry.setting}\``}`
}
