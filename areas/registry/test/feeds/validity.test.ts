import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createPackageValidator, jsonSchema, validateText } from '@patchbay/package-format/validate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { archiveOf } from '../archive.ts'
import { type RegistryNode, startRegistry } from '../start.ts'
import { readBytes, readFeed, readJson } from './reading.ts'

const SCHEMA = new URL('../../../../../shared/data/pcm/schema/pcm.v1.schema.json', import.meta.url)
const FEED = '/registry/feeds/kicad/repository.json'

let node: RegistryNode
beforeAll(async () => {
  node = await startVaried()
})
afterAll(() => node[Symbol.asyncDispose]())

async function startVaried(): Promise<RegistryNode> {
  const started = await startRegistry()
  const ada = started.as('ada')
  await ada.publish(
    archiveOf({ package: { $schema: 'https://go.kicad.org/pcm/schemas/v1', 'x-unknown': [1] } }),
  )
  await ada.publish(archiveOf({ version: '1.1', versionFields: { status: 'testing', version_epoch: 1 } }))
  await ada.publish(
    archiveOf({ identifier: 'com.example.theme', package: { type: 'colortheme', tags: undefined } }),
  )
  await ada.publish(archiveOf({ identifier: 'com.example.gone' }))
  await ada.change('PATCH', '/registry/owners/ada/packages/com.example.gone', { is_listed: false })
  await started.registry.indexer.settle(30_000)
  return started
}

test('[A-407] everything in the dialect of a brand is valid by our schema of that dialect', async () => {
  const options = { brand: 'kicad' }
  const isValid = createPackageValidator(options)
  const { packages } = await readFeed(node, FEED)
  expect(packages.packages.map((each) => isValid(each))).toEqual([true, true, true])
  expect(isValid(await readJson(node, '/registry/sparse/kicad/com.example.blinky.json'))).toBe(true)
  const repository = (await readBytes(node, FEED)).toString('utf8')
  expect(validateText(repository, options)).toMatchObject({ kind: 'repository', isValid: true, findings: [] })
  const list = validateText(JSON.stringify(packages), options)
  expect(list).toMatchObject({ kind: 'package-array', isValid: true })
})

/** What agrees with the schema of existing tools, wherever that is not at hand; and that schema itself. */
const ofExistingTools = [
  {
    whose: 'ours in their mode',
    definitions: () => jsonSchema({ brand: 'kicad', urls: 'compat' })['definitions'],
  },
  ...(existsSync(SCHEMA)
    ? [
        {
          whose: 'theirs',
          definitions: () => (JSON.parse(readFileSync(SCHEMA, 'utf8')) as Schema).definitions,
        },
      ]
    : []),
]

interface Schema {
  readonly definitions: object
}

test('[A-407] the schema of existing tools accepts what is served', async () => {
  const load = createRequire(new URL('../../../../packages/package-format/package.json', import.meta.url))
  const { Ajv } = load('ajv') as {
    Ajv: new (options: object) => { compile(schema: object): (value: unknown) => boolean }
  }
  const { repository, packages } = await readFeed(node, FEED)
  for (const { whose, definitions } of ofExistingTools) {
    const accepts = (definition: string) =>
      new Ajv({ strict: false, validateFormats: false }).compile({
        $ref: `#/definitions/${definition}`,
        definitions: definitions(),
      })
    const verdicts = [
      accepts('Repository')(repository),
      accepts('PackageArray')(packages),
      accepts('PackageArray')({ packages: [{}] }),
    ]
    expect([whose, ...verdicts]).toEqual([whose, true, true, false])
  }
})
