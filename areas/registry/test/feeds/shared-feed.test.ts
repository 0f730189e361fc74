import { expect, test } from 'vitest'
import { archiveOf } from '../archive.ts'
import { startRegistry } from '../start.ts'
import { pathOf, sha256Of } from './reading.ts'

interface Created {
  readonly id: string
  readonly feeds: readonly { readonly brand: string; readonly url: string }[]
}
interface Named {
  readonly url: string
  readonly sha256: string
}

test('[A-556][A-557] R9: a secret address shows the private feed with all its files, until it is revoked', async () => {
  await using node = await startRegistry()
  const ada = node.as('ada')
  const [open, secret] = ['com.example.blinky', 'com.example.secret'].map((identifier) =>
    Buffer.from(archiveOf({ identifier })),
  )
  await ada.publish(open ?? Buffer.of())
  await ada.publish(secret ?? Buffer.of(), { visibility: 'private' })
  await node.as('bob').publish(Buffer.from(archiveOf({ identifier: 'com.bob.own' })))
  await node.registry.indexer.settle(20_000)

  const addresses = '/registry/owners/ada/feed-addresses'
  node.access.grant('rea', 'ada', 'read')
  for (const who of ['eve', 'rea']) {
    expect((await node.as(who).change('POST', addresses, { label: 'x' })).status).toBe(403)
    expect((await node.as(who).ask(addresses)).status).toBe(403)
  }
  expect((await node.ask(addresses)).status).toBe(401)
  const created = (await (await ada.change('POST', addresses, { label: 'Lab PC' })).json()) as Created
  expect(created.feeds.map(({ brand }) => brand)).toEqual(['kicad', 'tool'])
  const url = created.feeds[0]?.url ?? ''
  const token = /\/shared\/([\w-]{43})\//.exec(url)?.[1] ?? 'none'
  const listed = await (await ada.ask(addresses)).text()
  expect(JSON.parse(listed)).toMatchObject({
    addresses: [{ id: created.id, label: 'Lab PC', created_by: 'ada' }],
  })
  expect(listed).not.toContain(token)
  const rows = await node.db.selectFrom('feed_addresses').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(token)

  const read = async (address: string) => {
    const answer = await node.ask(pathOf(address))
    expect([address, answer.status]).toEqual([address, 200])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'private, no-cache',
      'referrer-policy': 'no-referrer',
    })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    return Buffer.from(await answer.arrayBuffer())
  }
  const repository = JSON.parse((await read(url)).toString()) as Record<string, Named>
  const files: Record<string, Buffer> = {}
  for (const name of ['packages', 'resources', 'manifests']) {
    const { url: address = '', sha256 } = repository[name] ?? {}
    expect(address).toContain(`/registry/shared/${token}/`)
    const bytes = await read(address)
    expect(sha256Of(bytes)).toBe(sha256)
    files[name] = bytes
  }
  const { packages } = JSON.parse(files['packages']?.toString() ?? '') as {
    packages: { identifier: string; versions: { download_url: string; download_sha256: string }[] }[]
  }
  expect(packages.map(({ identifier }) => identifier)).toEqual(['com.example.blinky', 'com.example.secret'])
  const downloads = packages.flatMap(({ versions }) => versions)
  for (const { download_url, download_sha256 } of downloads) {
    expect(download_url).toContain(`/registry/shared/${token}/archives/`)
    expect(sha256Of(await read(download_url))).toBe(download_sha256)
  }
  const manifests = [...(files['manifests']?.toString() ?? '').matchAll(/"url":"([^"]+)"/g)].map(
    ([, each]) => each,
  )
  expect(manifests).toHaveLength(2)
  for (const each of manifests) await read(each ?? '')
  const etag = (await node.ask(pathOf(url))).headers.get('etag') ?? ''
  expect((await node.ask(pathOf(url), { headers: { 'if-none-match': etag } })).status).toBe(304)

  // Nothing of others, and nothing without the secret.
  const bobs = sha256Of(archiveOf({ identifier: 'com.bob.own' }))
  expect((await node.ask(`/registry/shared/${token}/archives/${bobs}/com.bob.own-1.0.0.zip`)).status).toBe(
    404,
  )
  const wrong = pathOf(url).replace(token, 'A'.repeat(43))
  expect((await node.ask(wrong)).status).toBe(404)
  expect(
    (await node.as('bob').change('POST', '/registry/owners/bob/feed-addresses', { label: 'x' })).status,
  ).toBe(201)

  const revoke = (who: string, owner: string) =>
    node.as(who).ask(`/registry/owners/${owner}/feed-addresses/${created.id}`, { method: 'DELETE' })
  expect((await revoke('bob', 'ada')).status).toBe(403)
  expect((await revoke('bob', 'bob')).status).toBe(404)
  expect((await revoke('ada', 'ada')).status).toBe(204)
  for (const address of [
    url,
    repository['packages']?.url ?? '',
    downloads[0]?.download_url ?? '',
    manifests[0] ?? '',
  ])
    expect([address, (await node.ask(pathOf(address))).status]).toEqual([address, 404])
  const lines = node.lines.join('')
  expect(lines).not.toContain(token)
  expect(lines).toContain('secret feed address created')
  expect(lines).toContain('secret feed address revoked')
})

test('[A-556] R9: of secret addresses there are 20 at most, also when they are made at once', async () => {
  await using node = await startRegistry()
  const create = () => node.as('ada').change('POST', '/registry/owners/ada/feed-addresses', { label: 'x' })
  const made = await Promise.all(Array.from({ length: 30 }, create))
  expect(made.filter(({ status }) => status === 201)).toHaveLength(20)
  const refused = await create()
  expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'limit_reached' }])
})
