import { compareTables } from '@patchbay/kernel/postgres'
import { expect, test } from 'vitest'
import { identityTables } from '../../src/index.ts'
import { startIdentity } from '../start.ts'

test('[C-100] the descriptors match the migrated schema', async () => {
  await using node = await startIdentity()
  expect(await compareTables(node.db, identityTables)).toEqual([])
})
