import { expect, test } from 'vitest'
import { readQueries } from '../src/recorded-queries.ts'
import { isAboutPackages, requirePages } from '../src/registry/reading.ts'

test('[BN-22] statements about packages are read from the log with their values, others are left out', () => {
  const log = [
    '2026-11-15 12:00:00.000 UTC [1] LOG:  execute <unnamed>: select "revision" from "feeds" where "owner" = $1',
    "2026-11-15 12:00:00.000 UTC [1] DETAIL:  Parameters: $1 = 'maker-1'",
    '2026-11-15 12:00:00.001 UTC [2] LOG:  execute <unnamed>: select "identifier" from "packages"',
    '\twhere "search" @@ $1::tsquery and $2 = any ("tags") limit $3',
    `2026-11-15 12:00:00.001 UTC [2] DETAIL:  Parameters: $1 = '''motor'' & ''driver'':*', $2 = NULL, $3 = '51'`,
    '2026-11-15 12:00:00.002 UTC [2] LOG:  execute <unnamed>: update "packages" set "name" = $1',
    "2026-11-15 12:00:00.002 UTC [2] DETAIL:  Parameters: $1 = 'x'",
    '2026-11-15 12:00:00.003 UTC [2] LOG:  execute s1: with "found" as (select from "packages") select from "found"',
    '',
  ].join('\n')
  expect(readQueries(log).filter(({ text }) => isAboutPackages(text))).toEqual([
    {
      text: 'select "identifier" from "packages"\nwhere "search" @@ $1::tsquery and $2 = any ("tags") limit $3',
      values: ["'motor' & 'driver':*", null, '51'],
    },
    { text: 'with "found" as (select from "packages") select from "found"', values: [] },
  ])
})

test('[BN-22] a search whose own statement was not recorded fails the measurement', () => {
  const page = { text: 'select "identifier" from "packages" limit $1', values: ['51'] }
  const summaries = { text: 'select "name" from "packages" where "identifier" = any($1)', values: ['{a}'] }
  expect(() => requirePages([[page, summaries], [page]])).not.toThrow()
  expect(() => requirePages([[page, summaries], [summaries]])).toThrow('without the statement')
})
