import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const SCHEMA = new URL('../../../../shared/data/pcm/schema/pcm.v1.schema.json', import.meta.url)

/** For the name of a test: the schema is beside a checkout, not part of it. */
export const unlessChecked = existsSync(SCHEMA)
  ? ''
  : ' (its schema is not checked: ../shared/data/pcm is not here)'

type Definition = 'Repository' | 'PackageArray'

/** What existing tools check before they read on; without their schema, nothing. */
export function upstreamCheck(): (definition: Definition, value: unknown) => boolean {
  if (unlessChecked !== '') return () => true
  const load = createRequire(new URL('../../../packages/package-format/package.json', import.meta.url))
  const { Ajv } = load('ajv') as {
    Ajv: new (options: object) => { validate(schema: object, value: unknown): boolean }
  }
  const ajv = new Ajv({ strict: false, validateFormats: false })
  const { definitions } = JSON.parse(readFileSync(SCHEMA, 'utf8')) as { definitions: object }
  return (definition, value) => ajv.validate({ $ref: `#/definitions/${definition}`, definitions }, value)
}
