import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv, type ValidateFunction } from 'ajv'

const FOLDER = fileURLToPath(new URL('../../../../shared/data/pcm', import.meta.url))

/** Public repositories, and the schema of the tool that reads them. They are beside a checkout, not part of it. */
export const hasRealData = existsSync(FOLDER)

/** For the name of a test that needs them. */
export const unlessSkipped = hasRealData ? '' : ' (skipped: ../shared/data/pcm is not here)'

export const realFile = (...path: readonly string[]): Buffer => readFileSync(join(FOLDER, ...path))

export function repositoryNames(): string[] {
  if (!hasRealData) return []
  return readdirSync(FOLDER).filter((name) => existsSync(join(FOLDER, name, 'repository.json')))
}

export function archiveMetadataNames(): string[] {
  return hasRealData ? readdirSync(join(FOLDER, 'archive-metadata')) : []
}

export const hasRealFile = (...path: readonly string[]): boolean => existsSync(join(FOLDER, ...path))

/** What existing tools take for a package, in their dialect. */
export function upstreamCheck(): ValidateFunction {
  const schema = JSON.parse(realFile('schema', 'pcm.v1.schema.json').toString()) as object
  return new Ajv({ strict: false, validateFormats: false }).compile(schema)
}
