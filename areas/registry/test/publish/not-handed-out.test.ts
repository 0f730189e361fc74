import { expect, test } from 'vitest'
import { archiveOf } from '../archive.ts'
import { NO_INDEXER, startRegistry } from '../start.ts'

test('[A-184] S7: a package with a link that browsers would run is not published', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const archive = archiveOf({ package: { resources: { homepage: 'javascript:alert(1)' } } })
  const response = await node.as('ada').publish(archive)
  expect(response.status).toBe(422)
  expect(await response.json()).toMatchObject({
    code: 'metadata_invalid',
    findings: [{ pointer: '/resources/homepage', code: 'unsafe_link' }],
  })
  expect(await node.db.selectFrom('package_versions').select('version').execute()).toEqual([])
})

test('[A-185] R5: a version that no tool could use is not published', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const archive = archiveOf({
    versionFields: { tool_version: '9.0', tool_version_max: '8.0' },
    brand: 'tool',
  })
  const response = await node.as('ada').publish(archive)
  expect(response.status).toBe(422)
  expect(await response.json()).toMatchObject({
    code: 'metadata_invalid',
    findings: [{ pointer: '/versions/0/tool_version_max', code: 'tool_versions_crossed' }],
  })
})
