import { expect, test } from 'vitest'
import { readJson } from '../feeds/reading.ts'
import { startRegistry } from '../start.ts'

test('[A-428] schemas are draft-07 and at home in this installation', async () => {
  await using node = await startRegistry()
  const read = async (path: string) => (await readJson(node, path)) as Record<string, unknown>
  expect(await read('/registry/schemas/v1.json')).toMatchObject({
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'http://patchbay.localhost/registry/schemas/v1.json',
  })
  const branded = await read('/registry/schemas/v1.json?brand=kicad')
  expect(branded['$id']).toBe('http://patchbay.localhost/registry/schemas/v1.json?brand=kicad')
  expect(JSON.stringify(branded)).toContain('kicad_version')
  for (const document of ['package', 'packages', 'repository'])
    expect(await read(`/registry/schemas/v1/${document}.json`)).toMatchObject({
      $id: `http://patchbay.localhost/registry/schemas/v1/${document}.json`,
    })
  expect((await node.ask('/registry/schemas/v1.json?brand=other')).status).toBe(404)
  const { headers } = await node.ask('/registry/schemas/v1.json')
  expect(headers.get('content-type')).toContain('application/schema+json')
})
