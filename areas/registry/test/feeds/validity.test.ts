import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createPackageValidator, validateText } from '@patchbay/package-format/validate'
import { expect, test } from 'vitest'
import { archiveOf } from '../archive.ts'
import { type RegistryNode, startRegistry } from '../start.ts'
import { readBytes, readFeed, readJson } from './reading.ts'

const SCHEMA = new URL('../../../../../shared/data/pcm/schema/pcm.v1.schema.json', import.meta.url)
const FEED = '/registry/feeds/kicad/repository.json'

async function startVaried(): Promise<RegistryNode> {
  const node = await startRegistry()
  const ada = node.as('ada')
  await ada.publish(
    archiveOf({ package: { $schema: 'https://go.kicad.org/pcm/schemas/v1', 'x-unknown': [1] } }),
  )
  await ada.publish(archiveOf({ version: '1.1', versionFields: { status: 'testing', version_epoch: 1 } }))
  await ada.publish(
    archiveOf({ identifier: 'com.example.theme', package: { type: 'colortheme', tags: undefined } }),
  )
  await ada.publish(archiveOf({ identifier: 'com.example.gone' }))
  await ada.change('PATCH', '/registry/owners/ada/packages/com.example.gone', { is_listed: false })
  await node.registry.indexer.settle(30_000)
  return node
}

test('[A-407] everything in the dialect of a brand is valid by our schema of that dialect', async () => {
  await using node = await startVaried()
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

const reason = existsSync(SCHEMA) ? '' : ' (skipped: ../shared/data/pcm is not here)'
test.skipIf(reason !== '')(
  `[A-407] the schema of existing tools accepts what is served${reason}`,
  async () => {
    await using node = await startVaried()
    const load = createRequire(new URL('../../../../packages/package-format/package.json', import.meta.url))
    const { Ajv } = load('ajv') as {
      Ajv: new (options: object) => { compile(schema: object): (value: unknown) => boolean }
    }
    const schema = JSON.parse(readFileSync(SCHEMA, 'utf8')) as { definitions: object }
    const accepts = (definition: string) =>
      new Ajv({ strict: false, validateFormats: false }).compile({
        $ref: `#/definitions/${definition}`,
        definitions: schema.definitions,
      })
    const { repository, packages } = await readFeed(node, FEED)
    expect(accepts('Repository')(repository)).toBe(true)
    expect(accepts('PackageArray')(packages)).toBe(true)
    expect(accepts('PackageArray')({ packages: [{}] })).toBe(false)
  },
)
