import { type RawBuilder, sql } from 'kysely'

/** Only what is shown: publishers may add kilobytes that nobody looks at. A key that is not there is null. */
export function pickKeys(
  column: string,
  keys: readonly string[],
): RawBuilder<Readonly<Record<string, unknown>>> {
  const pairs = keys.map((key) => sql`${sql.lit(key)}, ${sql.ref(column)} -> ${sql.lit(key)}`)
  return sql`jsonb_build_object(${sql.join(pairs)})`
}
