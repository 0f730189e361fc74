import type { Postgres } from '@patchbay/testkit/postgres'
import type { Client } from 'pg'
import { inTurns, type Rounds } from '../gateway/turns.ts'
import { startWorker, type Worker } from '../gateway/worker.ts'
import { askSuccess } from './raw-answer.ts'
import { recordQueries, type RecordedQuery } from './recorded-queries.ts'
import { type SearchName, searchPaths, SEARCHES } from './search-queries.ts'
import { CONNECTIONS, type Site } from './site.ts'
import type { Looped, SqlLoop } from './sql-loop.ts'
import { identifierOf } from './synthetic-package.ts'
import { loadPaths } from './wrk.ts'

const SIDES = ['sql', 'server'] as const
export type ReadingRounds = Rounds<(typeof SIDES)[number], Looped>

export interface ReadingResult {
  readonly sparse: ReadingRounds
  readonly search: Readonly<Record<SearchName, ReadingRounds>>
}

export interface ReadingSizes {
  readonly seconds: number
  readonly rounds: number
  /** Different queries of each kind. */
  readonly queries: number
}

export interface ReadDatabase {
  readonly postgres: Postgres
  readonly url: string
  readonly client: Client
}

interface Reading {
  readonly paths: readonly string[]
  readonly operations: readonly (readonly RecordedQuery[])[]
  readonly connections: { readonly server: number; readonly sql: number }
}

const SQL_LOOP = new URL('./sql-loop.ts', import.meta.url)
const HTTP_CONNECTIONS = 32
const SPARSE_FILES = 10_000

/** Sparse files as fast as they come, searches one after the other, each beside the same SQL. */
export async function measureReading(
  site: Site,
  database: ReadDatabase,
  packages: number,
  sizes: ReadingSizes,
): Promise<ReadingResult> {
  using loop = startWorker<SqlLoop>(SQL_LOOP)
  await loop.ask('connect', { url: database.url, connections: CONNECTIONS })
  const compare = (reading: Reading) => compareSides(site, loop, reading, sizes)
  const sparse = await compare(await sparseReading(site, database, packages))
  const search: Partial<Record<SearchName, ReadingRounds>> = {}
  for (const name of SEARCHES)
    search[name] = await compare(await searchReading(site, database, searchPaths(name, sizes.queries)))
  return { sparse, search: search as Record<SearchName, ReadingRounds> }
}

async function compareSides(
  { port }: Site,
  loop: Worker<SqlLoop>,
  { paths, operations, connections }: Reading,
  { seconds, rounds }: ReadingSizes,
): Promise<ReadingRounds> {
  return await inTurns(SIDES, rounds, (side) =>
    side === 'sql'
      ? loop.ask('run', { operations, connections: connections.sql, seconds })
      : loadPaths({ port, paths, connections: connections.server, seconds }),
  )
}

/** Every package is as likely as any other, which no cache likes. */
async function sparseReading(site: Site, database: ReadDatabase, packages: number): Promise<Reading> {
  const pathOf = (number: number) => `/registry/sparse/kicad/${identifierOf(number)}.json`
  const [recorded = []] = await record(site, database, [pathOf(0)])
  const step = Math.max(1, Math.floor(packages / SPARSE_FILES))
  const numbers = Array.from({ length: Math.min(packages, SPARSE_FILES) }, (_, index) => index * step)
  const withNumber = (number: number) =>
    recorded.map(({ text, values }) => ({
      text,
      values: values.map((value) => (value === identifierOf(0) ? identifierOf(number) : value)),
    }))
  return {
    paths: numbers.map(pathOf),
    operations: numbers.map(withNumber),
    connections: { server: HTTP_CONNECTIONS, sql: CONNECTIONS },
  }
}

async function searchReading(site: Site, database: ReadDatabase, paths: readonly string[]): Promise<Reading> {
  const operations = await record(site, database, paths)
  requirePages(operations)
  return { paths, operations, connections: { server: 1, sql: 1 } }
}

/** Without the statement that finds a page of packages, the loop would do what is left: next to nothing. */
export function requirePages(operations: readonly (readonly RecordedQuery[])[]): void {
  const isPage = ({ text }: RecordedQuery) => /\blimit \$\d+/.test(text)
  if (!operations.every((queries) => queries.some(isPage)))
    throw new Error('a search was recorded without the statement that finds its page')
}

function record({ port }: Site, { postgres, client }: ReadDatabase, paths: readonly string[]) {
  return recordQueries(
    postgres,
    client,
    paths.map((path) => () => askSuccess(port, path)),
  )
}
