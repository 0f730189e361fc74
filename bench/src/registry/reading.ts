import { askSuccess, loadWith } from '../http.ts'
import type { Looped, SqlLoop } from '../identity/sql-loop.ts'
import { type RunningNode, startWorker } from '../processes.ts'
import { type RecordedQuery, recordQueries } from '../recorded-queries.ts'
import { inTurns, type Rounds } from '../report.ts'
import { CONNECTIONS, type Database } from '../server.ts'
import { identifierOf, VOCABULARY } from './synthetic-package.ts'

const SIDES = ['sql', 'server'] as const
type Read = Pick<Looped, 'perSecond' | 'p50Ms' | 'p99Ms'>
type ReadingRounds = Rounds<(typeof SIDES)[number], Read>

export const SEARCHES = ['words', 'prefix', 'filters', 'wordsAndFilters', 'tag', 'browse'] as const
export type SearchName = (typeof SEARCHES)[number]

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

interface Reading {
  readonly paths: readonly string[]
  readonly operations: readonly (readonly RecordedQuery[])[]
  readonly connections: { readonly server: number; readonly sql: number }
}

const SQL_LOOP = new URL('../identity/sql-loop.ts', import.meta.url)
const HTTP_CONNECTIONS = 32
const SPARSE_FILES = 10_000

/** Sparse files as fast as they come, searches one after the other, each beside the same SQL. */
export async function measureReading(
  { port }: RunningNode,
  database: Database,
  packages: number,
  { seconds, rounds, queries }: ReadingSizes,
): Promise<ReadingResult> {
  using loop = startWorker<SqlLoop>(SQL_LOOP)
  await loop.ask('connect', { url: database.url, connections: CONNECTIONS })
  const record = (paths: readonly string[]) =>
    recordQueries(
      database,
      paths.map((path) => () => askSuccess(port, { path })),
      isAboutPackages,
    )
  const compare = ({ paths, operations, connections }: Reading) => {
    const requests = paths.map((path) => ({ path }))
    return inTurns(
      SIDES,
      rounds,
      (side): Promise<Read> =>
        side === 'sql'
          ? loop.ask('repeat', { operations, connections: connections.sql, seconds })
          : loadWith({ port, requests, connections: connections.server, seconds }),
    )
  }
  const [recorded = []] = await record([sparsePath(0)])
  const sparse = await compare(sparseReading(recorded, packages))
  const search: Partial<Record<SearchName, ReadingRounds>> = {}
  for (const name of SEARCHES) {
    const paths = searchPaths(name, queries)
    const operations = await record(paths)
    requirePages(operations)
    search[name] = await compare({ paths, operations, connections: { server: 1, sql: 1 } })
  }
  return { sparse, search: search as Record<SearchName, ReadingRounds> }
}

/** The server sweeps its index all the time, which nobody asked for. */
export const isAboutPackages = (text: string) =>
  /^\s*(?:select|with)\b/.test(text) && text.includes('from "packages"')

const sparsePath = (number: number) => `/registry/sparse/kicad/${identifierOf(number)}.json`

/** Every package is as likely as any other, which no cache likes. */
function sparseReading(recorded: readonly RecordedQuery[], packages: number): Reading {
  const step = Math.max(1, Math.floor(packages / SPARSE_FILES))
  const numbers = Array.from({ length: Math.min(packages, SPARSE_FILES) }, (_, index) => index * step)
  const withNumber = (number: number) =>
    recorded.map(({ text, values }) => ({
      text,
      values: values.map((value) => (value === identifierOf(0) ? identifierOf(number) : value)),
    }))
  return {
    paths: numbers.map(sparsePath),
    operations: numbers.map(withNumber),
    connections: { server: HTTP_CONNECTIONS, sql: CONNECTIONS },
  }
}

/** Without the statement that finds a page of packages, the loop would do what is left: next to nothing. */
export function requirePages(operations: readonly (readonly RecordedQuery[])[]): void {
  const isPage = ({ text }: RecordedQuery) => /\blimit \$\d+/.test(text)
  if (!operations.every((queries) => queries.some(isPage)))
    throw new Error('a search was recorded without the statement that finds its page')
}

/** Words before it are in a third of all packages or more. */
const FIRST = 10
const TOOLS = ['6.0', '7.0', '8.0', '9.0']
const FILTERS = ['type=plugin', 'platform=windows', 'status=stable']
const wordAt = (index: number) => VOCABULARY[index % VOCABULARY.length] ?? ''

/** Different words each time: a single query would be measured from a warm path that nobody else takes. */
function searchPaths(name: SearchName, variations: number): string[] {
  return Array.from({ length: name === 'browse' ? 1 : variations }, (_, index) => {
    const [first, second] = [wordAt(FIRST + index * 3), wordAt(FIRST + index * 50)]
    const filters = [...FILTERS, `tool_version=${TOOLS[index % TOOLS.length]}`].join('&')
    const queries: Readonly<Record<SearchName, string>> = {
      words: `q=${first}+${second}`,
      prefix: `q=${first.slice(0, 3)}`,
      filters,
      wordsAndFilters: `q=${first}+${second}&${filters}`,
      tag: `tag=${first}`,
      browse: '',
    }
    return `/registry/search?${queries[name]}`
  })
}
