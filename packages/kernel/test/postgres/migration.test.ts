import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import {
  collectMigrations,
  fingerprintOf,
  kernelMigrations,
  type Migration,
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
    const both = [first, second].map((each) => ({ ...each, appliedAt }))
    expect(planMigrations([first, second], [])).toEqual({ pending: [first, second], newer: [] })
    expect(planMigrations([first, second], both.slice(0, 1))).toEqual({ pending: [second], newer: [] })
    expect(planMigrations([first, second], both)).toEqual({ pending: [], newer: [] })
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

  const added = readMigration('area', '0002_added.sql', '-- expand\nalter table a add column b text')
  const taken = readMigration('area', '0003_taken.sql', '-- contract\nalter table a drop column c')
  const appliedOf = (...migrations: Migration[]) => migrations.map((each) => ({ ...each, appliedAt }))

  test('[K-446] what a newer version has only added is no hindrance, and what is missing is still applied', () => {
    const other = readMigration('other', '0001_other.sql', 'select 1')
    const { pending, newer } = planMigrations([first, other], appliedOf(first, added))
    expect(pending).toEqual([other])
    expect(newer.map(({ name }) => name)).toEqual(['added'])
  })

  test.for([
    ['one that says so', taken],
    ['one that says nothing', readMigration('area', '0003_taken.sql', 'select 3')],
  ] as const)('[K-446] a contract migration of a newer version is refused: %s', ([, migration]) => {
    expect(() => planMigrations([first], appliedOf(first, added, migration))).toThrow(
      'the database has area/0003_taken.sql, applied 2026-01-02T03:04:05.000Z, which this version does not know ' +
        'and cannot work with (a "contract" migration of a newer version)',
    )
  })

  test('[K-445] the fingerprint follows the content', () => {
    const other = readMigration('area', '0002_second.sql', 'select 4')
    expect(fingerprintOf([first, second])).toBe(fingerprintOf([first, second]))
    expect(fingerprintOf([first, second])).not.toBe(fingerprintOf([first, other]))
  })
})

describe('kinds', () => {
  const read = (sql: string) => readMigration('area', '0001_a.sql', sql)

  test('[K-853] the first line says of which kind it is, and without one it promises nothing', () => {
    expect(read('-- expand\ncreate table a (id int)').kind).toBe('expand')
    expect(read('-- expand\r\ncreate table a (id int)').kind).toBe('expand')
    expect(read('-- contract\ndrop table a').kind).toBe('contract')
    for (const silent of [
      'drop table a',
      '-- Expand\ndrop table a',
      '\n-- expand\ndrop table a',
      '-- expands',
    ])
      expect(read(silent).kind).toBe('contract')
  })

  test.for([
    "create table a (id uuid primary key, kind text not null check (kind in ('x', 'y')), size int not null)",
    'create table a (id int primary key); create table b (a int references a, primary key (a))',
    'create table a (person uuid not null references people (id) on delete cascade, at timestamptz)',
    'create table a (id int); create unique index a_on on a (id); alter table a add check (id > 0); insert into a values (1)',
    'alter table people add column nickname text',
    "alter table only people add column if not exists a text not null default 'x', add b numeric(4, 2) check (b in (1, 2))",
    'alter table people add column seen_at timestamptz not null default now()',
    'alter table people add column org uuid references organizations on delete set null',
    'create index if not exists people_by_name on people (name) where name is not null',
    "-- drop table people;\n/* delete from people; */ comment on table people is 'truncate people; '",
    'create function f() returns int language sql as $$ delete from people; select 1 $$',
  ])('[K-854] what only adds may say so: %j', (sql) => {
    expect(read(`-- expand\n${sql}`).kind).toBe('expand')
  })

  test.for([
    'drop table people',
    'create table a (id int); drop index people_by_name',
    'alter table people drop column name',
    'ALTER TABLE people\n  ADD COLUMN a text,\n  DROP COLUMN name',
    'alter table people rename to persons',
    'alter table people rename column name to title',
    'alter table people alter column name type varchar(10)',
    'alter table people alter column name set not null',
    'alter table people alter column name drop default',
    'alter table people add column a text not null',
    'alter table people add a text unique',
    'alter table people add column a bigint generated always as identity',
    'alter table people add column a uuid not null default gen_random_uuid()',
    "alter table people add constraint short check (name <> '')",
    'alter table people add check (length(name) < 9)',
    'alter table people add unique (name)',
    'alter table people add foreign key (org) references organizations on delete cascade',
    'alter table people add column org uuid references organizations',
    'create table a (person uuid references people (id), at timestamptz)',
    'create unique index if not exists people_by_name on people (name)',
    'create index people_by_name on people (name)',
    'create or replace function f() returns int language sql as $$ select 2 $$',
    'create trigger t before insert on people for each row execute function f()',
    'create table if not exists people (id int); alter table people drop column name',
    "update people set name = ''",
    'delete from people',
    'truncate people',
    "insert into people values ('ada')",
    'with gone as (delete from people returning id) select * from gone',
    'revoke select on people from public',
    'lock table people',
    'do $$ begin delete from people; end $$',
  ])('[K-854] what takes away, changes or tightens may not: %j', (sql) => {
    expect(() => read(`-- expand\n${sql}`)).toThrow('write "-- contract" into the first line')
    expect(read(`-- contract\n${sql}`).kind).toBe('contract')
  })
})

test('[K-444] a place is counted in characters, as PostgreSQL counts them', () => {
  expect(placeOf('select 1', 1)).toEqual({ line: 1, column: 1 })
  expect(placeOf('-- 🦊\nselect x', 13)).toEqual({ line: 2, column: 8 })
})
