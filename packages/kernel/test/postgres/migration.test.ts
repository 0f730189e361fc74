import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import {
  collectMigrations,
  fingerprintOf,
  kernelMigrations,
  MigrationError,
} from '../../src/postgres/index.ts'
import { placeOf, planMigrations, readMigration } from '../../src/postgres/migration.ts'

async function folderOf(files: Record<string, string>) {
  const path = await mkdtemp(join(tmpdir(), 'patchbay-migrations-'))
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(path, name), text)))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

describe('collecting', () => {
  test('[K-441] files are read in the order of areas, then numbers, from a path or a URL', async () => {
    await using b = await folderOf({ '0002_second.sql': 'select 2', '0001_first.sql': 'select 1' })
    await using a = await folderOf({ '0001_other.sql': 'select 3' })
    const migrations = await collectMigrations([
      { area: 'b', folder: b.path },
      { area: 'a', folder: pathToFileURL(`${a.path}/`) },
    ])
    expect(migrations.map(({ area, number, name, sql }) => [area, number, name, sql])).toEqual([
      ['b', 1, 'first', 'select 1'],
      ['b', 2, 'second', 'select 2'],
      ['a', 1, 'other', 'select 3'],
    ])
  })

  test.for<[string, Record<string, string>, string]>([
    ['a gap', { '0001_a.sql': '', '0003_c.sql': '' }, 'area/0003_c.sql: number 0002 is missing before it'],
    ['a start above 1', { '0002_b.sql': '' }, 'area/0002_b.sql: number 0001 is missing before it'],
    [
      'a number that is taken',
      { '0001_a.sql': '', '0001_b.sql': '' },
      'area/0001_b.sql: its number is taken',
    ],
    ['a name without a number', { 'first.sql': '' }, 'area/first.sql: a migration is named like'],
    ['a short number', { '1_a.sql': '' }, 'area/1_a.sql: a migration is named like'],
    ['capitals', { '0001_Add.sql': '' }, 'area/0001_Add.sql: a migration is named like'],
    ['a stray file', { '0001_a.sql': '', 'notes.md': '' }, 'area/notes.md: a migration is named like'],
    ['an empty folder', {}, 'area: no migrations found'],
  ])('[K-441] %s is refused', async ([, files, message]) => {
    await using folder = await folderOf(files)
    const collecting = collectMigrations([{ area: 'area', folder: folder.path }])
    await expect(collecting).rejects.toThrow(MigrationError)
    await expect(collecting).rejects.toThrow(message)
  })

  test('[K-441] an area that is given twice is refused', async () => {
    const twice = collectMigrations([kernelMigrations, kernelMigrations])
    await expect(twice).rejects.toThrow('kernel: the area is given twice')
  })
})

describe('transactions', () => {
  test.for([
    'commit;',
    'select 1;\nBEGIN;',
    'select 1; /* now */ rollback',
    '-- first\nstart transaction;',
    "select ';'; savepoint a",
    'prepare transaction $$x$$',
  ])('[K-442] a file may not control its transaction: %j', (sql) => {
    expect(() => readMigration('area', '0001_a.sql', sql)).toThrow(
      'runs inside a transaction that is not its own',
    )
  })

  test.for([
    'create function f() returns int language plpgsql as $$ begin; return 1; end; $$;',
    "create function f() returns int language plpgsql as $body$ begin return '1'; end; $body$;",
    "insert into t values ('; commit;'); -- ; commit",
    'create table endings (start int, commit text);\n/* begin; */',
    'prepare x as select 1',
  ])('[K-442] words that only look like it are fine: %j', (sql) => {
    expect(readMigration('area', '0001_a.sql', sql).sql).toBe(sql)
  })
})

describe('planning', () => {
  const first = readMigration('area', '0001_first.sql', 'select 1;\nselect 2;\n')
  const second = readMigration('area', '0002_second.sql', 'select 3')
  const appliedAt = new Date('2026-01-02T03:04:05Z')

  test('[K-442] what was not applied is left, in order', () => {
    expect(planMigrations([first, second], [])).toEqual([first, second])
    expect(planMigrations([first, second], [{ ...first, appliedAt }])).toEqual([second])
    expect(
      planMigrations(
        [first, second],
        [first, second].map((each) => ({ ...each, appliedAt })),
      ),
    ).toEqual([])
  })

  test('[K-445] a changed file is refused, whatever its line endings', () => {
    const rewritten = readMigration('area', '0001_first.sql', first.sql.replaceAll('\n', '\r\n'))
    expect(rewritten).toEqual(first)
    const changed = readMigration('area', '0001_first.sql', 'select 2;')
    expect(() => planMigrations([changed], [{ ...first, appliedAt }])).toThrow(
      'area/0001_first.sql was changed after it was applied 2026-01-02T03:04:05.000Z as area/0001_first.sql: ' +
        'restore the file, and put the change into a new migration',
    )
  })

  test('[K-446] a database of a newer version is refused', () => {
    const applied = [first, second].map((each) => ({ ...each, appliedAt }))
    expect(() => planMigrations([first], applied)).toThrow(
      'the database has area/0002_second.sql, applied 2026-01-02T03:04:05.000Z, which this version does not know',
    )
  })

  test('[K-445] the fingerprint follows the content', () => {
    const other = readMigration('area', '0002_second.sql', 'select 4')
    expect(fingerprintOf([first, second])).toBe(fingerprintOf([first, second]))
    expect(fingerprintOf([first, second])).not.toBe(fingerprintOf([first, other]))
  })
})

test('[K-444] a place is counted in characters, as PostgreSQL counts them', () => {
  expect(placeOf('select 1', 1)).toEqual({ line: 1, column: 1 })
  expect(placeOf('-- 🦊\nselect x', 13)).toEqual({ line: 2, column: 8 })
})
