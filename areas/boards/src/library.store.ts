import { BOARDS_PATH, type BoardLibrary } from '@patchbay/contracts/boards'
import { Problem } from '@patchbay/contracts/core'
import { BOARD_LIMITS } from '@patchbay/contracts/limits'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import type { ObjectStore } from '@patchbay/kernel/objects'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { displayText } from '@patchbay/primitives/text'
import { type Selectable, sql } from 'kysely'
import type { AdmittedChange } from './deps.ts'
import { type LibraryContents, type LibraryInput, nicknamesFor, type SymbolsPart } from './library.ts'
import type { BoardsTables } from './tables.ts'

type LibraryRow = Selectable<BoardsTables['board_libraries']>

export interface NewLibrary {
  readonly at: WorkspaceRef
  readonly identifier: string
  readonly name: string
  readonly version: string
  readonly sha256: string
  readonly contents: LibraryContents
  readonly now: Date
}

/** What deletes archives and what names them wait for each other. */
export const librariesLock = (mode: 'shared' | 'exclusive') =>
  mode === 'shared'
    ? sql`select pg_advisory_xact_lock_shared(hashtextextended('board libraries', 0))`
    : sql`select pg_advisory_xact_lock(hashtextextended('board libraries', 0))`

const rowsOf = (db: Db<BoardsTables>, { owner, repo }: WorkspaceRef) =>
  db
    .selectFrom('board_libraries')
    .selectAll()
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .orderBy('identifier')

/** By identifier. */
export async function listLibraries(db: Db<BoardsTables>, at: WorkspaceRef): Promise<BoardLibrary[]> {
  return (await rowsOf(db, at).execute()).map((row) => present(row))
}

export async function findLibraryInputs(db: Db<BoardsTables>, at: WorkspaceRef): Promise<LibraryInput[]> {
  const rows = await rowsOf(db, at).execute()
  const part = ({ nickname, path }: { nickname: string; path: string }) => ({ nickname, path })
  return rows.map(({ identifier, sha256, symbols, footprints }) => ({
    identifier,
    sha256,
    symbols: symbols.map(part),
    footprints: footprints.map(part),
  }))
}

export async function findSymbols(
  db: Db<BoardsTables>,
  { owner, repo }: WorkspaceRef,
  identifier: string,
  sha256: string,
): Promise<SymbolsPart | undefined> {
  const row = await db
    .selectFrom('board_libraries')
    .select('symbols')
    .where('owner', '=', owner)
    .where('repo', '=', repo)
    .where('identifier', '=', identifier)
    .executeTakeFirst()
  return row?.symbols.find((each) => each.sha256 === sha256)
}

/** What is known of this archive, for another workspace or another time. Its bytes may be gone. */
export async function findContents(
  db: Db<BoardsTables>,
  sha256: string,
): Promise<LibraryContents | undefined> {
  const row = await db
    .selectFrom('board_libraries')
    .select(['bytes', 'symbols', 'footprints', 'models'])
    .where('sha256', '=', sha256)
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return { ...row, footprints: row.footprints.map(({ path }) => path) }
}

/** Notes it, in the place of another version. `bytes_gone`: what it names has to be stored again. */
export async function putLibrary(
  db: Db<BoardsTables>,
  objects: ObjectStore,
  admitted: AdmittedChange,
  { at, contents, now, ...about }: NewLibrary,
  reason: string | undefined,
): Promise<{ readonly library: BoardLibrary; readonly isNew: boolean } | 'bytes_gone'> {
  return await inTransaction(db, async (tx) => {
    const note = await admitted.lock(tx)
    await librariesLock('shared').execute(tx)
    for (const sha256 of namedBy(about.sha256, contents))
      if ((await objects.stat(sha256)) === undefined) return 'bytes_gone'
    const rows = await rowsOf(tx, at).forUpdate().execute()
    const before = rows.find(({ identifier }) => identifier === about.identifier)
    const others = rows.filter((row) => row !== before)
    requireRoom(others, contents)
    const taken = (kind: 'symbols' | 'footprints') =>
      new Set(others.flatMap((row) => row[kind].map(({ nickname }) => nickname)))
    const symbolPaths = contents.symbols.map(({ path }) => path)
    const nicknames = nicknamesFor(symbolPaths, before?.symbols ?? [], taken('symbols'))
    const row = {
      ...about,
      ...at,
      name: displayText(about.name, 200),
      bytes: contents.bytes,
      symbols: JSON.stringify(
        contents.symbols.map(({ size, sha256 }, index) => ({ ...nicknames[index], size, sha256 })),
      ),
      footprints: JSON.stringify(
        nicknamesFor(contents.footprints, before?.footprints ?? [], taken('footprints')),
      ),
      models: contents.models,
      added_by: admitted.by,
      added_at: now,
    }
    const stored = await tx
      .insertInto('board_libraries')
      .values(row)
      .onConflict((conflict) => conflict.columns(['owner', 'repo', 'identifier']).doUpdateSet(row))
      .returningAll()
      .executeTakeFirstOrThrow()
    await note(`library add ${about.identifier} ${about.version}`, reason)
    return { library: present(stored), isNew: before === undefined }
  })
}

function namedBy(archive: string, { symbols }: LibraryContents): string[] {
  return [archive, ...new Set(symbols.map(({ sha256 }) => sha256))]
}

function requireRoom(others: readonly LibraryRow[], { bytes }: LibraryContents): void {
  const { libraries, librariesBytes } = BOARD_LIMITS
  if (others.length >= libraries)
    throw new Problem('limit_reached', { detail: `A workspace has ${libraries} libraries at most.` })
  if (others.reduce((sum, row) => sum + row.bytes, bytes) > librariesBytes)
    throw new Problem('limit_reached', {
      detail: `The libraries of a workspace have ${librariesBytes / 1024 ** 2} MiB at most together.`,
    })
}

export async function removeLibrary(
  db: Db<BoardsTables>,
  admitted: AdmittedChange,
  { owner, repo }: WorkspaceRef,
  identifier: string,
  reason: string | undefined,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const note = await admitted.lock(tx)
    const { numDeletedRows } = await tx
      .deleteFrom('board_libraries')
      .where('owner', '=', owner)
      .where('repo', '=', repo)
      .where('identifier', '=', identifier)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw new Problem('board_library_not_found')
    await note(`library remove ${identifier}`, reason)
  })
}

function present({ owner, repo, identifier, ...row }: LibraryRow): BoardLibrary {
  const base = BOARDS_PATH.replace('{owner}', owner).replace('{repo}', repo)
  return {
    identifier,
    name: row.name,
    version: row.version,
    sha256: row.sha256,
    bytes: row.bytes,
    symbols: row.symbols.map(({ nickname, size, sha256 }) => ({
      nickname,
      bytes: size,
      href: `${base}/libraries/${identifier}/symbols/${sha256}`,
    })),
    footprints: row.footprints.map(({ nickname }) => nickname),
    models: row.models,
    addedBy: row.added_by,
    addedAt: row.added_at.toISOString(),
  }
}
