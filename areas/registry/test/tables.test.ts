import {
  REGISTRY_PACKAGE_TYPES,
  REGISTRY_PLATFORMS,
  REGISTRY_RUNTIMES,
  REGISTRY_STATUSES,
} from '@patchbay/contracts/registry'
import { compareTables } from '@patchbay/kernel/postgres'
import { PACKAGE_TYPES, PLATFORMS, RUNTIMES, VERSION_STATUSES } from '@patchbay/package-format'
import { expect, test } from 'vitest'
import { registryTables } from '../src/tables.ts'
import { NO_INDEXER, startRegistry } from './start.ts'

test('[A-59] the migrated tables are the described ones', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  expect(await compareTables(node.db, registryTables)).toEqual([])
})

test('[A-59] addresses use the words of the package format', () => {
  expect(REGISTRY_PACKAGE_TYPES).toEqual(PACKAGE_TYPES)
  expect(REGISTRY_PLATFORMS).toEqual(PLATFORMS)
  expect(REGISTRY_RUNTIMES).toEqual(RUNTIMES)
  expect(REGISTRY_STATUSES).toEqual(VERSION_STATUSES)
})
