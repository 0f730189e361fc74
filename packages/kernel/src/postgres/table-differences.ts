import type { ColumnDescription, TableDescription } from './table.ts'

export interface ActualColumn extends ColumnDescription {
  readonly table: string
  readonly name: string
}

/** Every difference in words that name the place, described first. Empty: the descriptors are true. */
export function differencesOf(
  tables: readonly TableDescription[],
  actual: readonly ActualColumn[],
): string[] {
  return tables.flatMap((table) => {
    const columns = new Map(
      actual.filter((each) => each.table === table.name).map((each) => [each.name, each]),
    )
    if (columns.size === 0) return [`${table.name}: described, but not in the database`]
    const described = Object.entries(table.columns).flatMap(([name, description]) =>
      compare(`${table.name}.${name}`, description, columns.get(name)),
    )
    const extra = [...columns.keys()]
      .filter((name) => !Object.hasOwn(table.columns, name))
      .map((name) => `${table.name}.${name}: in the database, but not described`)
    return [...described, ...extra]
  })
}

function compare(place: string, described: ColumnDescription, actual: ActualColumn | undefined): string[] {
  if (actual === undefined) return [`${place}: described, but not in the database`]
  const pairs: (readonly [string, string])[] = [
    [described.type, actual.type],
    [nullability(described), nullability(actual)],
    [origin(described), origin(actual)],
  ]
  return pairs
    .filter(([wanted, found]) => wanted !== found)
    .map(([wanted, found]) => `${place}: described as ${wanted}, in the database it is ${found}`)
}

function nullability({ isNullable }: ColumnDescription): string {
  return isNullable ? 'nullable' : 'not null'
}

function origin({ isGenerated, isDefaulted }: ColumnDescription): string {
  if (isGenerated) return 'generated'
  return isDefaulted ? 'having a default' : 'having no default'
}
