import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeSampleRepositories } from '@patchbay/testkit/sample-repositories'
import { Ajv, type ValidateFunction } from 'ajv'

const FOLDER = fileURLToPath(new URL('../../../../shared/data/pcm', import.meta.url))

/** Public repositories, and the schema of the tool that reads them. They are beside a checkout, not part of it. */
export const hasRealData = existsSync(FOLDER)

/** For the name of a test that needs them. */
export const unlessSkipped = hasRealData ? '' : ' (skipped: ../shared/data/pcm is not here)'

const realFile = (...path: readonly string[]): Buffer => readFileSync(join(FOLDER, ...path))

/** Repositories by their files, wherever they come from. */
export interface Repositories {
  readonly names: readonly string[]
  readonly has: (name: string, file: string) => boolean
  readonly read: (name: string, file: string) => Uint8Array
}

export const realRepositories: Repositories = {
  names: hasRealData
    ? readdirSync(FOLDER).filter((name) => existsSync(join(FOLDER, name, 'repository.json')))
    : [],
  has: (name, file) => existsSync(join(FOLDER, name, file)),
  read: (name, file) => realFile(name, file),
}

// What is in an archive of icons does not matter here; that it has a hash does.
const made = await makeSampleRepositories((names) => Buffer.from(names.join('\n')))
const madeFiles = new Map<string, Uint8Array>(
  made.flatMap(({ name, packages, repository, resources }) => [
    [`${name}/packages.json`, Buffer.from(packages)] as const,
    [`${name}/repository.json`, Buffer.from(repository)] as const,
    ...(resources === undefined ? [] : [[`${name}/resources.zip`, resources] as const]),
  ]),
)

export const madeUpRepositories: Repositories = {
  names: made.map(({ name }) => name),
  has: (name, file) => madeFiles.has(`${name}/${file}`),
  read: (name, file) => madeFiles.get(`${name}/${file}`) ?? Buffer.alloc(0),
}

export function archiveMetadata(): readonly (readonly [name: string, text: string])[] {
  if (!hasRealData) return []
  return readdirSync(join(FOLDER, 'archive-metadata')).map((name) => [
    name,
    realFile('archive-metadata', name).toString(),
  ])
}

/** What existing tools take for a package, in their dialect. */
export function upstreamCheck(): ValidateFunction {
  const schema = JSON.parse(realFile('schema', 'pcm.v1.schema.json').toString()) as object
  return new Ajv({ strict: false, validateFormats: false }).compile(schema)
}
