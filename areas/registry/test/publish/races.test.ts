import type { Publication } from '@patchbay/contracts/registry'
import { deepTest, depth } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'
import { archiveOf } from '../archive.ts'
import {
  migratedDatabase,
  NO_INDEXER,
  type RegistryNode,
  startRegistryNode,
  temporaryFolder,
} from '../start.ts'

async function startTwoNodes() {
  const cleanup = new AsyncDisposableStack()
  const database = cleanup.use(await migratedDatabase())
  const folder = cleanup.use(await temporaryFolder())
  const shared = { databaseUrl: database.url, folder: folder.path, indexer: NO_INDEXER }
  const one = cleanup.use(await startRegistryNode({ ...shared, node: 'one' }))
  const two = cleanup.use(await startRegistryNode({ ...shared, node: 'two' }))
  return { one, two, [Symbol.asyncDispose]: () => cleanup.disposeAsync() }
}

/** One person has few places at once, an organization has many people. */
function publishAsMany(nodes: readonly RegistryNode[], archive: (index: number) => Uint8Array) {
  return Promise.all(
    Array.from({ length: PUBLISHERS }, async (_, index) => {
      const node = nodes[index % nodes.length]
      node?.access.grant(`person-${index}`, 'ada', 'write')
      const publish = async () =>
        (await node?.as(`person-${index}`).publish(archive(index), { owner: 'ada' })) ?? Response.error()
      let response = await publish()
      // On a slow machine the connections to the database do not last for all: whoever is told so comes back.
      for (let attempt = 0; response.status === 503 && attempt < 20; attempt += 1) response = await publish()
      return response
    }),
  )
}

const ROUNDS = depth({ common: 4, deep: 20 })
const PUBLISHERS = depth({ common: 20, deep: 50 })

const tally = (statuses: readonly number[]) =>
  Object.fromEntries([...Map.groupBy(statuses, (status) => status)].map(([key, { length }]) => [key, length]))

test('[A-15] of many publishers of one version with different bytes, one gets 201', async () => {
  await using nodes = await startTwoNodes()
  const { one, two } = nodes
  expect((await one.as('ada').publish(archiveOf({ version: '0.1' }))).status).toBe(201)
  const answers = await publishAsMany([one, two], (index) => archiveOf({ code: `print(${index})` }))
  expect(tally(answers.map(({ status }) => status))).toEqual({ 201: 1, 409: PUBLISHERS - 1 })
  const winner = answers.find(({ status }) => status === 201)
  const { download_sha256: hash } = (await (winner ?? new Response('{}')).json()) as Publication
  const rows = await one.db.selectFrom('package_versions').select(['version', 'archive_sha256']).execute()
  expect(rows.filter(({ version }) => version === '1.0.0')).toEqual([
    { version: '1.0.0', archive_sha256: hash },
  ])
})

deepTest('[A-15] of many publishers of the same bytes, one gets 201 and the others 200', async () => {
  await using nodes = await startTwoNodes()
  const { one, two } = nodes
  const answers = await publishAsMany([one, two], () => archiveOf())
  expect(tally(answers.map(({ status }) => status))).toEqual({ 200: PUBLISHERS - 1, 201: 1 })
  const entries = await one.db.selectFrom('registry_audit').select('action').execute()
  expect(entries).toEqual([{ action: 'published' }])
})

test('[A-16] of two owners who begin one identifier at once, one gets it', async () => {
  await using nodes = await startTwoNodes()
  const { one, two } = nodes
  for (let round = 0; round < ROUNDS; round += 1) {
    const identifier = `com.example.race${round}`
    const answers = await Promise.all([
      one.as('ada').publish(archiveOf({ identifier })),
      two.as('bob').publish(archiveOf({ identifier: identifier.replace('race', 'RACE'), version: '2' })),
    ])
    expect(tally(answers.map(({ status }) => status))).toEqual({ 201: 1, 409: 1 })
  }
  const owned = await one.db.selectFrom('packages').select('folded_identifier').execute()
  expect(new Set(owned.map((row) => row.folded_identifier)).size).toBe(ROUNDS)
})
