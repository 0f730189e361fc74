import { createLog } from '@patchbay/kernel/log'
import {
  collectMigrations,
  createDatabase,
  fingerprintOf,
  kernelMigrations,
  migrate,
} from '@patchbay/kernel/postgres'
import { cloneDatabase } from '@patchbay/testkit/postgres'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { identityMigrations } from '../../src/tables.ts'
import { startIdentityNode } from '../start.ts'

test('[C-292] an organization of a database from before the renaming keeps its handle and members', async () => {
  const migrations = await collectMigrations([kernelMigrations, identityMigrations])
  const earlier = migrations.filter(({ area, number }) => area !== 'identity' || number < 3)
  await using database = await cloneDatabase({
    fingerprint: fingerprintOf(earlier),
    migrate: (url) => migrate({ url, migrations: earlier }),
  })
  {
    const log = createLog({ level: 'fatal', process: 'server' })
    await using before = createDatabase({ url: database.url, poolSize: 1, applicationName: 'before', log })
    await sql`
      with names as (insert into handles (handle, kind) values ('ada', 'person'), ('acme', 'organisation')),
      ada as (
        insert into people (handle, display_name, created_at, sessions_seen_at) values ('ada', 'Ada', now(), now())
        returning id
      ),
      acme as (
        insert into organisations (handle, display_name, created_at) values ('acme', 'ACME', now()) returning id
      )
      insert into members (organisation_id, person_id, role, created_at)
      select acme.id, ada.id, 'owner', now() from acme, ada
    `.execute(before.db)
  }
  await migrate({ url: database.url, migrations })
  await using node = await startIdentityNode({ databaseUrl: database.url })
  const organizations = node.db
    .selectFrom('organizations')
    .innerJoin('members', 'members.organization_id', 'organizations.id')
    .innerJoin('handles', 'handles.handle', 'organizations.handle')
  expect(
    await organizations.select(['organizations.handle', 'handles.kind', 'members.role']).execute(),
  ).toEqual([{ handle: 'acme', kind: 'organization', role: 'owner' }])
})
