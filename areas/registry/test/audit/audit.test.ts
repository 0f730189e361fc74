import type { AuditEntry } from '@patchbay/contracts/registry'
import { SettableClock } from '@patchbay/testkit/clock'
import { expect, test } from 'vitest'
import { archiveOf } from '../archive.ts'
import { codeOf } from '../looking.ts'
import { NO_INDEXER, type RegistryNode, startRegistry } from '../start.ts'

interface Page {
  readonly items: readonly AuditEntry[]
  readonly next_cursor: string | null
}

const pageOf = async (node: RegistryNode, owner: string, query = '') =>
  (await (await node.as(owner).ask(`/registry/owners/${owner}/audit${query}`)).json()) as Page

test('[A-50] every change has one entry, and a refused one none', async () => {
  const clock = new SettableClock()
  await using node = await startRegistry({ indexer: NO_INDEXER, clock })
  node.access.grant('bob', 'ada', 'write')
  const ada = node.as('ada', 'browser')
  const path = '/registry/owners/ada/packages/com.example.blinky'
  const published = (await (await ada.publish(archiveOf())).json()) as { download_sha256: string }
  await ada.publish(archiveOf({ code: 'other' }))
  clock.advance(1_000)
  await node.as('bob').change('PATCH', `${path}/versions/1.0.0`, { status: 'deprecated' })
  await node.as('bob').change('PATCH', `${path}/versions/1.0.0`, { status: 'testing' })
  clock.advance(1_000)
  await ada.change('PATCH', path, { is_listed: false })
  await ada.change('PATCH', path, { is_listed: false })
  await ada.change('PATCH', path, { is_listed: true })
  const identifier = 'com.example.blinky'
  const byAda = { actor: 'ada', credential: 'browser', identifier }
  const last = '2026-01-01T00:00:02.000Z'
  expect((await pageOf(node, 'ada')).items).toEqual([
    { ...byAda, at: last, action: 'listed', version: null, detail: '' },
    { ...byAda, at: last, action: 'delisted', version: null, detail: '' },
    {
      at: '2026-01-01T00:00:01.000Z',
      actor: 'bob',
      credential: 'application',
      identifier,
      action: 'status_changed',
      version: '1.0.0',
      detail: 'stable → deprecated',
    },
    {
      ...byAda,
      at: '2026-01-01T00:00:00.000Z',
      action: 'published',
      version: '1.0.0',
      detail: published.download_sha256,
    },
  ])
})

test('[A-51] the log comes newest first in pages, each entry once, and holds the owner’s entries alone', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  for (let index = 0; index < 7; index += 1) {
    await node.as('ada').publish(archiveOf({ identifier: `a.p${index}` }))
    await node.as('bob').publish(archiveOf({ identifier: `b.p${index}` }))
  }
  const pages: string[][] = []
  for (let query = '?limit=3'; query !== ''; ) {
    const page = await pageOf(node, 'ada', query)
    pages.push(page.items.map(({ identifier }) => identifier))
    query = page.next_cursor === null ? '' : `?limit=3&cursor=${page.next_cursor}`
  }
  expect(pages).toEqual([['a.p6', 'a.p5', 'a.p4'], ['a.p3', 'a.p2', 'a.p1'], ['a.p0']])
  for (const text of ['x', '5', 'a-5', 'a9999999999999999']) {
    const cursor = Buffer.from(text).toString('base64url')
    const response = await node.as('ada').ask(`/registry/owners/ada/audit?cursor=${cursor}`)
    expect([text, response.status, await codeOf(response)]).toEqual([text, 400, 'invalid_request'])
  }
})

test('[A-52] an API key is named by its id, a session by its kind', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  await node.as('ada', 'api_key').publish(archiveOf())
  await node.as('ada', 'browser').publish(archiveOf({ version: '2' }))
  const credentials = (await pageOf(node, 'ada')).items.map(({ credential }) => credential)
  expect(credentials).toEqual(['browser', expect.stringMatching(/^api_key [0-9a-f-]{36}$/)])
})
