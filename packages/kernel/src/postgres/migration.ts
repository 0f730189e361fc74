import { createHash } from 'node:crypto'
import { kindOf, type MigrationKind, reasonAgainstExpand, statementsOf } from './migration-kind.ts'

export interface Migration {
  readonly area: string
  readonly number: number
  readonly name: string
  readonly kind: MigrationKind
  readonly sql: string
  readonly sha256: string
}

export interface AppliedMigration extends Omit<Migration, 'sql'> {
  readonly appliedAt: Date
}

export interface MigrationPlan {
  /** What is left to apply, in order. */
  readonly pending: readonly Migration[]
  /** What a newer version has added, and this one can do without. */
  readonly newer: readonly AppliedMigration[]
}

/** Why a database was not migrated, in words for whoever operates it. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

/** Checks one file and describes it. */
export function readMigration(area: string, file: string, content: string): Migration {
  const [, number, name] = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file) ?? []
  if (number === undefined || name === undefined) {
    throw new MigrationError(`${area}/${file}: a migration is named like 0001_what_it_does.sql`)
  }
  // A checkout may rewrite line endings; that is no change of the migration.
  const sql = content.replaceAll('\r\n', '\n')
  const control = transactionControl(sql)
  if (control !== undefined) {
    throw new MigrationError(
      `${area}/${file}: contains "${control}", but runs inside a transaction that is not its own`,
    )
  }
  const kind = kindOf(sql)
  const against = kind === 'expand' ? reasonAgainstExpand(sql) : undefined
  if (against !== undefined) {
    throw new MigrationError(
      `${area}/${file}: ${against}. Change it, or write "-- contract" into the first line`,
    )
  }
  const sha256 = createHash('sha256').update(sql).digest('hex')
  return { area, number: Number(number), name, kind, sql, sha256 }
}

/** Numbers start at 1 and have no gaps, so that a file which got lost in a merge is noticed. */
export function checkNumbers(area: string, migrations: readonly Migration[]): void {
  if (migrations.length === 0) throw new MigrationError(`${area}: no migrations found`)
  migrations.forEach((migration, index) => {
    if (migration.number === index + 1) return
    const found = migrations.filter((other) => other.number === migration.number).length
    const reason = found > 1 ? 'its number is taken' : `number ${fileNumber(index + 1)} is missing before it`
    throw new MigrationError(`${fileOf(migration)}: ${reason}`)
  })
}

/** Refuses a database that does not fit these files. */
export function planMigrations(
  wanted: readonly Migration[],
  applied: readonly AppliedMigration[],
): MigrationPlan {
  const done = new Map(applied.map((each) => [keyOf(each), each]))
  const known = new Set(wanted.map(keyOf))
  const newer = applied.filter((each) => !known.has(keyOf(each)))
  const contract = newer.find(({ kind }) => kind === 'contract')
  if (contract !== undefined) {
    throw new MigrationError(
      `the database has ${fileOf(contract)}, applied ${contract.appliedAt.toISOString()}, which this version does not know ` +
        'and cannot work with (a "contract" migration of a newer version). Run that version, or restore a backup from before it',
    )
  }
  for (const each of wanted) {
    const before = done.get(keyOf(each))
    if (before === undefined || before.sha256 === each.sha256) continue
    throw new MigrationError(
      `${fileOf(each)} was changed after it was applied ${before.appliedAt.toISOString()} as ${fileOf(before)}: ` +
        'restore the file, and put the change into a new migration',
    )
  }
  return { pending: wanted.filter((each) => !done.has(keyOf(each))), newer }
}

/** Changes whenever any migration does: names a template database in tests. */
export function fingerprintOf(migrations: readonly Migration[]): string {
  return migrations.map((each) => `${fileOf(each)} ${each.sha256}`).join('\n')
}

export function fileOf({ area, number, name }: Pick<Migration, 'area' | 'number' | 'name'>): string {
  return `${area}/${fileNumber(number)}_${name}.sql`
}

/** Where in the file a character is. PostgreSQL counts whole characters, JavaScript halves of the rarer ones. */
export function placeOf(sql: string, position: number): { readonly line: number; readonly column: number } {
  const before = Array.from(sql).slice(0, position - 1)
  const lastBreak = before.lastIndexOf('\n')
  return {
    line: before.filter((character) => character === '\n').length + 1,
    column: before.length - lastBreak,
  }
}

/** The first statement that would open or end a transaction. */
function transactionControl(sql: string): string | undefined {
  return statementsOf(sql).find((statement) =>
    /^(begin|start|commit|end|rollback|abort|savepoint|release|prepare transaction)\b/.test(statement),
  )
}

function keyOf({ area, number }: Pick<Migration, 'area' | 'number'>): string {
  return `${area}/${number}`
}

function fileNumber(number: number): string {
  return String(number).padStart(4, '0')
}
