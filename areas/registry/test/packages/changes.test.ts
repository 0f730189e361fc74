import type { PackagePage } from '@patchbay/contracts/registry'
import { VERSION_STATUSES, type VersionStatus } from '@patchbay/package-format'
import { expect, test } from 'vitest'
import { archiveOf } from '../archive.ts'
import { codeOf } from '../looking.ts'
import { seedPackages } from '../seed.ts'
import { NO_INDEXER, type RegistryNode, startRegistry } from '../start.ts'

const OWNED = '/registry/owners/ada/packages/com.example.blinky'

const pageOf = async (node: RegistryNode) =>
  (await (await node.ask('/registry/packages/com.example.blinky')).json()) as PackagePage
const latestOf = async ({ db }: RegistryNode) =>
  (await db.selectFrom('packages').select('latest_version').executeTakeFirstOrThrow()).latest_version

test('[A-31] status changes go along the table and no other way', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const ways = VERSION_STATUSES.flatMap((before) => VERSION_STATUSES.map((after) => [before, after] as const))
  await seedPackages(
    node.db,
    ways.map(([status], index) => ({ identifier: `a.p${index}`, versions: [{ status }] })),
  )
  const outcomes: Record<string, string> = {}
  for (const [index, [before, after]] of ways.entries()) {
    const path = `/registry/owners/ada/packages/a.p${index}/versions/1.0`
    const response = await node.as('ada').change('PATCH', path, { status: after })
    const { status } = await node.db
      .selectFrom('package_versions')
      .select('status')
      .where('identifier', '=', `a.p${index}`)
      .executeTakeFirstOrThrow()
    const refusal = response.status === 204 ? undefined : await codeOf(response)
    outcomes[`${before} → ${after}`] = `${response.status} ${refusal ?? ''} ${status}`
  }
  const refused = (before: VersionStatus) => `409 status_change_refused ${before}`
  expect(outcomes).toEqual({
    ...Object.fromEntries(ways.map(([before, after]) => [`${before} → ${after}`, refused(before)])),
    'development → testing': '204  testing',
    'development → stable': '204  stable',
    'development → deprecated': '204  deprecated',
    'testing → stable': '204  stable',
    'testing → deprecated': '204  deprecated',
    'stable → deprecated': '204  deprecated',
    'deprecated → stable': '204  stable',
  })
})

test('[A-31] a refusal says which ways there are, and an unknown version is not found', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  await node.as('ada').publish(archiveOf())
  const change = (version: string, status: string) =>
    node.as('ada').change('PATCH', `${OWNED}/versions/${version}`, { status })
  expect(await (await change('1.0.0', 'testing')).json()).toMatchObject({
    detail: 'A stable version can become deprecated, but not testing.',
  })
  for (const version of ['2.0.0', '1.0']) {
    const response = await change(version, 'deprecated')
    expect([response.status, await codeOf(response)]).toEqual([404, 'package_not_found'])
  }
  expect((await change('1.0.0', 'withdrawn')).status).toBe(400)
})

test('[A-32] of two changes at once that exclude each other, one succeeds', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  await seedPackages(
    node.db,
    Array.from({ length: 10 }, (_, index) => ({
      identifier: `a.p${index}`,
      versions: [{ status: 'development' }],
    })),
  )
  for (let index = 0; index < 10; index += 1) {
    const path = `/registry/owners/ada/packages/a.p${index}/versions/1.0`
    const answers = await Promise.all(
      ['testing', 'testing'].map((status) => node.as('ada').change('PATCH', path, { status })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 409])
  }
  expect(await node.db.selectFrom('registry_audit').select('id').execute()).toHaveLength(10)
})

test('[A-33] a package is taken out and put back in, and nothing is deleted', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const ada = node.as('ada')
  await ada.publish(archiveOf())
  const found = async () =>
    ((await (await node.ask('/registry/search')).json()) as { items: unknown[] }).items.length
  const list = async (isListed: boolean) => (await ada.change('PATCH', OWNED, { is_listed: isListed })).status
  expect([await list(false), await list(false), await found()]).toEqual([204, 204, 0])
  const delisted = await pageOf(node)
  expect([delisted.is_listed, delisted.versions.length]).toEqual([false, 1])
  expect((await ada.publish(archiveOf({ version: '2.0.0' }))).status).toBe(201)
  expect(await found()).toBe(0)
  expect([await list(true), await found()]).toEqual([204, 1])
  const actions = await node.db.selectFrom('registry_audit').select('action').orderBy('id').execute()
  expect(actions.map(({ action }) => action)).toEqual(['published', 'delisted', 'published', 'listed'])
  expect((await ada.change('PATCH', `${OWNED}x`, { is_listed: true })).status).toBe(404)
})

test('[A-34] R2: the latest version is the highest stable one, else the highest, deprecated ones last', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const ada = node.as('ada')
  const publish = async (version: string, status: string) => {
    await ada.publish(archiveOf({ version, versionFields: { status } }))
    return await latestOf(node)
  }
  const change = async (version: string, status: string) => {
    expect((await ada.change('PATCH', `${OWNED}/versions/${version}`, { status })).status).toBe(204)
    return await latestOf(node)
  }
  expect(await publish('1.9', 'development')).toBe('1.9')
  expect(await publish('1.10', 'testing')).toBe('1.10')
  expect(await publish('1.2', 'stable')).toBe('1.2')
  expect(await change('1.9', 'stable')).toBe('1.9')
  expect(await change('1.9', 'deprecated')).toBe('1.2')
  expect(await change('1.2', 'deprecated')).toBe('1.10')
  expect(await publish('2.0', 'deprecated')).toBe('1.10')
  expect(await change('1.10', 'deprecated')).toBe('2.0')
})

test('[A-36] every change marks the feeds that carry the package', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const ada = node.as('ada')
  const revisions = async () => {
    const rows = await node.db.selectFrom('feeds').select(['owner', 'visibility', 'revision']).execute()
    return Object.fromEntries(rows.map((row) => [`${row.owner}/${row.visibility}`, row.revision]))
  }
  await ada.publish(archiveOf({ identifier: 'com.example.hidden' }), { visibility: 'private' })
  expect(await revisions()).toEqual({ 'ada/private': 1 })
  await ada.publish(archiveOf())
  expect(await revisions()).toEqual({ '/public': 1, 'ada/public': 1, 'ada/private': 2 })
  await ada.change('PATCH', `${OWNED}/versions/1.0.0`, { status: 'deprecated' })
  await ada.change('PATCH', OWNED, { is_listed: false })
  expect(await revisions()).toEqual({ '/public': 3, 'ada/public': 3, 'ada/private': 4 })
  await ada.change('PATCH', OWNED, { is_listed: false })
  await ada.change('PATCH', `${OWNED}/versions/1.0.0`, { status: 'testing' })
  expect(await revisions()).toEqual({ '/public': 3, 'ada/public': 3, 'ada/private': 4 })
})
