import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkNumbers, type Migration, MigrationError, readMigration } from './migration.ts'

export interface MigrationSource {
  readonly area: string
  readonly folder: URL | string
}

/** The migrations of this package; they come first, because areas may refer to its tables. */
export const kernelMigrations: MigrationSource = {
  area: 'kernel',
  folder: new URL('../../migrations/', import.meta.url),
}

/** Reads and checks every migration, in the order in which they apply. */
export async function collectMigrations(sources: readonly MigrationSource[]): Promise<Migration[]> {
  const areas = sources.map((source) => source.area)
  const repeated = areas.find((area, index) => areas.indexOf(area) !== index)
  if (repeated !== undefined) throw new MigrationError(`${repeated}: the area is given twice`)
  const collected = await Promise.all(sources.map(collectArea))
  return collected.flat()
}

async function collectArea({ area, folder }: MigrationSource): Promise<Migration[]> {
  const path = folder instanceof URL ? fileURLToPath(folder) : folder
  const files = (await readdir(path)).toSorted()
  const migrations = await Promise.all(
    files.map(async (file) => readMigration(area, file, await readFile(join(path, file), 'utf8'))),
  )
  checkNumbers(area, migrations)
  return migrations
}
