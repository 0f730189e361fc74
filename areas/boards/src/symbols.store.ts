import type { BoardSymbol } from '@patchbay/contracts/boards'
import { BOARD_LIMITS } from '@patchbay/contracts/limits'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import type { ObjectStore } from '@patchbay/kernel/objects'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import type { ListedSymbol } from '@patchbay/kicad-format'
import { displayText } from '@patchbay/primitives/text'
import { sql } from 'kysely'
import { findEngine } from './job.store.ts'
import { librariesLock } from './library.store.ts'
import type { BoardsTables } from './tables.ts'

export interface InstalledLibrary {
  readonly nickname: string
  readonly sha256: string
  readonly bytes: number
  readonly symbols: readonly ListedSymbol[]
}

/** Whether a worker has said what is installed with this engine. */
export async function knowsInstalled(db: Db<BoardsTables>, engine: string): Promise<boolean> {
  const row = await db
    .selectFrom('board_installed_symbols')
    .select('engine')
    .where('engine', '=', engine)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** All at once, or none. `false`: bytes were collected meanwhile. */
export async function noteInstalled(
  db: Db<BoardsTables>,
  objects: ObjectStore,
  engine: string,
  libraries: readonly InstalledLibrary[],
): Promise<boolean> {
  return await inTransaction(db, async (tx) => {
    await librariesLock('shared').execute(tx)
    for (const { sha256 } of libraries) if ((await objects.stat(sha256)) === undefined) return false
    for (const { nickname, sha256, bytes, symbols } of libraries)
      await tx
        .insertInto('board_installed_symbols')
        .values({ engine, nickname, sha256, bytes, symbols: JSON.stringify(symbols) })
        .onConflict((conflict) => conflict.columns(['engine', 'nickname']).doNothing())
        .execute()
    return true
  })
}

/** Those whose name, description or keywords have all the words; names that begin with the first one come first. */
export async function searchInstalled(
  db: Db<BoardsTables>,
  text: string,
  limit: number,
  now: Date,
): Promise<{ readonly items: BoardSymbol[]; readonly isComplete: boolean }> {
  const { engine } = await findEngine(db, now)
  const words = text.split(/\s+/).filter(Boolean).map(literal)
  const [first = ''] = words
  if (engine === null || first === '') return { items: [], isComplete: true }
  const { rows } = await sql<{ id: string; description: string; keywords: string }>`
    select library.nickname || ':' || symbol.name as id, symbol.description, symbol.keywords
    from board_installed_symbols as library,
      jsonb_to_recordset(library.symbols) as symbol (name text, description text, keywords text)
    where library.engine = ${engine} and concat_ws(' ', library.nickname || ':' || symbol.name, symbol.description,
      symbol.keywords) ilike all (${words.map((word) => `%${word}%`)}::text[])
    order by symbol.name ilike ${first} desc, symbol.name ilike ${`${first}%`} desc, id
    limit ${limit + 1}`.execute(db)
  const items = rows.slice(0, limit).map(({ id, description, keywords }) => ({
    libId: displayText(id, 400),
    description: displayText(description, 300),
    keywords: displayText(keywords, 300),
  }))
  return { items, isComplete: rows.length <= limit }
}

/** A sign that means something in a pattern stands for itself. */
const literal = (word: string) => word.replaceAll(/[\\%_]/g, String.raw`\$&`)

export interface SymbolFile {
  readonly nickname: string
  readonly sha256: string
  readonly bytes: number
}

/** Libraries of symbols that are installed with KiCad, and those of the packages of a workspace. */
export async function findSymbolFiles(
  db: Db<BoardsTables>,
  { owner, repo }: WorkspaceRef,
  now: Date,
): Promise<SymbolFile[]> {
  const { engine } = await findEngine(db, now)
  const { rows } = await sql<SymbolFile>`
    select part.nickname, part.sha256, part.size as bytes
    from board_libraries as library,
      jsonb_to_recordset(library.symbols) as part (nickname text, sha256 text, size bigint)
    where library.owner = ${owner} and library.repo = ${repo}
    union all
    select nickname, sha256, bytes from board_installed_symbols where engine = ${engine}`.execute(db)
  return rows
}

/** In which libraries installed with KiCad a symbol is called so, whatever its case. */
export async function findNamesakes(db: Db<BoardsTables>, name: string, now: Date): Promise<string[]> {
  const { engine } = await findEngine(db, now)
  const { rows } = await sql<{ id: string }>`
    select library.nickname || ':' || symbol.name as id
    from board_installed_symbols as library, jsonb_to_recordset(library.symbols) as symbol (name text)
    where library.engine = ${engine} and lower(symbol.name) = ${name.toLowerCase()}
    order by id limit ${BOARD_LIMITS.suggestions}`.execute(db)
  return rows.map(({ id }) => id)
}
