import { compareTables } from '@patchbay/kernel/postgres'
import { expect, test } from 'vitest'
import { boardsTables } from '../src/tables.ts'
import { startBoards } from './start.ts'

test('[H-2] the migrated tables are the described ones', async () => {
  await using node = await startBoards()
  expect(await compareTables(node.db, boardsTables)).toEqual([])
})
