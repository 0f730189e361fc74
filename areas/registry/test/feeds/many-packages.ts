import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import { markChanged } from '../../src/packages/feed-changes.store.ts'
import type { RegistryTables } from '../../src/tables.ts'

export interface ManyPackages {
  readonly owners: number
  readonly perOwner: number
  /** Owners are named with it, so that a second call adds others. */
  readonly prefix: string
}

/** Packages with three versions each, straight into the tables: what counts is how many there are. */
export async function insertPackages(
  db: Db<RegistryTables>,
  { owners, perOwner, prefix }: ManyPackages,
): Promise<void> {
  await sql`
    insert into packages (identifier, owner, visibility, type, name, description, author, license, tags, metadata,
      latest_version, created_at, updated_at, search)
    select 'com.' || ${prefix} || o || '.p' || p, ${prefix} || o, 'public', 'library', 'Parts ' || p, 'Many parts',
      'Ada', 'MIT', '{}', jsonb_build_object('name', 'Parts ' || p, 'description', 'Many parts', 'description_full', 'Parts.',
        'identifier', 'com.' || ${prefix} || o || '.p' || p, 'type', 'library', 'author', '{"name":"Ada","contact":{}}'::jsonb,
        'license', 'MIT', 'resources', '{}'::jsonb),
      '1.2', now(), now(), ''
    from generate_series(1, ${owners}::int) o, generate_series(1, ${perOwner}::int) p`.execute(db)
  await sql`
    insert into package_versions (identifier, version, sort_key, status, metadata, tool_min, tool_max, platforms,
      archive_sha256, archive_size, install_size, manifest_sha256, published_at, published_by)
    select identifier, '1.' || v, array[0, 1, v, 0], 'stable',
      jsonb_build_object('version', '1.' || v, 'status', 'stable', 'tool_version', '8.0'), '{8,0,0}', '{99,99,99}', '{}',
      encode(sha256((identifier || v)::bytea), 'hex'), 1000, 2000, encode(sha256((identifier || v || 'm')::bytea), 'hex'),
      now(), owner
    from packages, generate_series(0, 2) v where owner like ${prefix} || '%' and metadata ->> 'description' = 'Many parts'
    on conflict do nothing`.execute(db)
}

export function touch(db: Db<RegistryTables>, owner: string, identifier: string, now: Date): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await tx
      .updateTable('packages')
      .set({
        metadata: sql`jsonb_set(metadata, '{description}', to_jsonb(gen_random_uuid()::text))` as never,
      })
      .where('identifier', '=', identifier)
      .execute()
    await markChanged(tx, { owner, visibility: 'public', identifier, now })
  })
}
