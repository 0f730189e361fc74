import type { ColumnType } from 'kysely'

/** Ties the TypeScript types to a column that has no value of them. */
declare const TYPES: unique symbol

export interface Column<Selected, Inserted, Updated> {
  readonly [TYPES]?: ColumnType<Selected, Inserted, Updated>
  /** As PostgreSQL itself spells it. */
  readonly type: string
  readonly isNullable: boolean
  readonly isDefaulted: boolean
  readonly isGenerated: boolean
  nullable(): Column<Selected | null, Inserted | null, Updated | null>
  /** The database fills it in when an insert leaves it out. */
  hasDefault(): Column<Selected, Inserted | undefined, Updated>
  /** The database alone writes it: a generated column, or an identity that is always generated. */
  generated(): Column<Selected, never, never>
}

export type ColumnDescription = Pick<
  Column<unknown, unknown, unknown>,
  'type' | 'isNullable' | 'isDefaulted' | 'isGenerated'
>

export interface TableDescription {
  readonly name: string
  readonly columns: Readonly<Record<string, ColumnDescription>>
}

export interface Table<Name extends string, Columns> extends TableDescription {
  readonly name: Name
  readonly columns: Columns & Readonly<Record<string, ColumnDescription>>
}

/** What Kysely needs to know about one table. */
export type RowOf<T> =
  T extends Table<string, infer Columns>
    ? {
        [Name in keyof Columns]: Columns[Name] extends Column<infer Selected, infer Inserted, infer Updated>
          ? ColumnType<Selected, Inserted, Updated>
          : never
      }
    : never

/** What Kysely needs to know about a list of tables: `type Tables = TablesOf<typeof tables>`. */
export type TablesOf<List extends readonly TableDescription[]> = {
  [T in List[number] as T['name']]: RowOf<T>
}

export function defineTable<
  const Name extends string,
  const Columns extends Record<string, ColumnDescription>,
>(name: Name, columns: Columns): Table<Name, Columns> {
  return { name, columns }
}

export const column = {
  bigint: () => describe<number>('bigint'),
  boolean: () => describe<boolean>('boolean'),
  bytea: () => describe<Buffer, Uint8Array>('bytea'),
  date: () => describe<string>('date'),
  doublePrecision: () => describe<number>('double precision'),
  integer: () => describe<number>('integer'),
  /** Written as text: the driver would turn an array into a PostgreSQL array, which is not JSON. */
  jsonb: <Value>() => describe<Value, string>('jsonb'),
  numeric: () => describe<string>('numeric'),
  smallint: () => describe<number>('smallint'),
  text: <Value extends string = string>() => describe<Value>('text'),
  textArray: <Value extends string = string>() => describe<Value[]>('text[]'),
  timestamptz: () => describe<Date>('timestamp with time zone'),
  uuid: <Value extends string = string>() => describe<Value>('uuid'),
  /** Any other type, as `format_type` of PostgreSQL spells it. */
  of: <Selected, Written = Selected>(type: string) => describe<Selected, Written>(type),
}

function describe<Selected, Written = Selected>(type: string): Column<Selected, Written, Written> {
  return build({ type, isNullable: false, isDefaulted: false, isGenerated: false })
}

function build<Selected, Inserted, Updated>(
  description: ColumnDescription,
): Column<Selected, Inserted, Updated> {
  return {
    ...description,
    nullable: () => build({ ...description, isNullable: true }),
    hasDefault: () => build({ ...description, isDefaulted: true }),
    generated: () => build({ ...description, isGenerated: true }),
  }
}
