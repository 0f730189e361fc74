import { compareTables } from '@patchbay/kernel/postgres'
import { expect, test } from 'vitest'
import { panelsTables } from '../src/tables.ts'
import { takePanels } from './start.ts'

test('[D-30] the migrated tables are the described ones', async () => {
  await using node = await takePanels()
  expect(await compareTables(node.db, panelsTables)).toEqual([])
})
