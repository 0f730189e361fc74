import { compareTables } from '@patchbay/kernel/postgres'
import { expect, test } from 'vitest'
import { contentTables } from '../src/tables.ts'
import { startContent } from './start.ts'

test('[F-10] the migrated tables are the described ones', async () => {
  await using node = await startContent()
  expect(await compareTables(node.db, contentTables)).toEqual([])
})
