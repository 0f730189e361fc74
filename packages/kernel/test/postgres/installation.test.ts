import { recordSql } from '@patchbay/testkit/sql'
import { expect, test } from 'vitest'
import { findInstallation, findOrCreateInstallation } from '../../src/postgres/index.ts'
import { connect, kernelDatabase, outcomeOf } from './open-database.ts'

test('[K-461] twenty nodes that start at once agree on one id', async () => {
  await using database = await kernelDatabase()
  await using first = connect(database.url, { poolSize: 10 })
  await using second = connect(database.url, { poolSize: 10 })
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      findOrCreateInstallation(index % 2 === 0 ? first.db : second.db),
    ),
  )
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
  expect(answers[0]?.createdAt).toBeInstanceOf(Date)
  expect(await findOrCreateInstallation(first.db)).toEqual(answers[0])
})

test('[K-461] a second row is impossible', async () => {
  await using database = await kernelDatabase()
  await using connection = connect(database.url)
  const { db } = connection
  await findOrCreateInstallation(db)
  const again = await outcomeOf(() => db.insertInto('installation').defaultValues().execute())
  expect(again.error).toMatchObject({ code: '23505', constraint: 'installation_singleton' })
  const other = await outcomeOf(() => db.insertInto('installation').values({ singleton: false }).execute())
  expect(other.error).toMatchObject({ code: '23514' })
})

test('[K-462] the SQL is one statement, as reviewed', async () => {
  await using database = await kernelDatabase()
  await using connection = connect(database.url)
  await expect(await recordSql(connection.db, findOrCreateInstallation)).toMatchFileSnapshot(
    'snapshots/find-or-create-installation.sql',
  )
  await expect(await recordSql(connection.db, findInstallation)).toMatchFileSnapshot(
    'snapshots/find-installation.sql',
  )
})

test('[K-461] before the first node there is no installation, and after it the same one', async () => {
  await using database = await kernelDatabase()
  await using connection = connect(database.url)
  expect(await findInstallation(connection.db)).toBeUndefined()
  const created = await findOrCreateInstallation(connection.db)
  expect(await findInstallation(connection.db)).toEqual(created)
})
