import { readdir } from 'node:fs/promises'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect, vi } from 'vitest'
import { archiveOf } from '../archive.ts'
import { codeOf } from '../looking.ts'
import { NO_INDEXER, type RegistryNode, startRegistry } from '../start.ts'

type Ask = RegistryNode['ask']

const CHANGES: readonly (readonly [string, (ask: Ask) => Promise<Response>])[] = [
  ['publish', (ask) => ask('/registry/owners/ada/packages', zip(archiveOf({ version: '2' })))],
  [
    'publish something new',
    (ask) => ask('/registry/owners/ada/packages', zip(archiveOf({ identifier: 'a.new' }))),
  ],
  ['import', (ask) => ask('/registry/owners/ada/imports', json('POST', { url: 'http://127.0.0.1/x.zip' }))],
  [
    'delist',
    (ask) => ask('/registry/owners/ada/packages/com.example.blinky', json('PATCH', { is_listed: false })),
  ],
  [
    'delist what is not there',
    (ask) => ask('/registry/owners/ada/packages/a.absent', json('PATCH', { is_listed: false })),
  ],
  [
    'deprecate',
    (ask) =>
      ask(
        '/registry/owners/ada/packages/com.example.blinky/versions/1.0.0',
        json('PATCH', { status: 'deprecated' }),
      ),
  ],
]

function zip(archive: Uint8Array): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/zip' }, body: new Uint8Array(archive) }
}

function json(method: string, body: unknown): RequestInit {
  return { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

test.each(CHANGES)('[A-25] only somebody with write access may: %s', async (_, request) => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  await node.as('ada').publish(archiveOf())
  node.access.grant('reader', 'ada', 'read')
  const state = async () => [
    await node.db.selectFrom('packages').selectAll().execute(),
    await node.db.selectFrom('package_versions').selectAll().execute(),
    await node.db.selectFrom('registry_audit').selectAll().execute(),
  ]
  const before = await state()
  const outcome = async (ask: Ask) => {
    const response = await request(ask)
    return [response.status, await codeOf(response)]
  }
  expect(await outcome(node.ask)).toEqual([401, 'sign_in_required'])
  for (const stranger of ['bob', 'reader'])
    expect(await outcome(node.as(stranger).ask)).toEqual([403, 'not_permitted'])
  expect(await state()).toEqual(before)
})

deepTest('[A-25] write access to one identifier is good for that one', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  node.access.grant('robot', 'ada', 'write', 'com.example.blinky')
  const robot = node.as('robot', 'api_key')
  expect((await robot.publish(archiveOf(), { owner: 'ada' })).status).toBe(201)
  const other = await robot.publish(archiveOf({ identifier: 'com.example.other' }), { owner: 'ada' })
  expect([other.status, await codeOf(other)]).toEqual([403, 'not_permitted'])
})

test('[A-27] the list of packages and the audit log are for those who may read all of the owner', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  node.access.grant('reader', 'ada', 'read')
  node.access.grant('robot', 'ada', 'write', 'com.example.blinky')
  for (const path of ['/registry/owners/ada/packages', '/registry/owners/ada/audit']) {
    const statuses = [await node.ask(path)]
    for (const person of ['bob', 'robot', 'reader', 'ada']) statuses.push(await node.as(person).ask(path))
    expect(statuses.map(({ status }) => status)).toEqual([401, 403, 403, 200, 200])
  }
})

deepTest(
  '[A-23] who may write nothing of the owner is refused before a byte of the upload is there',
  async () => {
    await using node = await startRegistry({ indexer: NO_INDEXER })
    node.access.grant('robot', 'ada', 'write', 'com.example.blinky')
    const begin = async (handle: string) => {
      const stopping = new AbortController()
      const body = new ReadableStream<Uint8Array>({ start: (stream) => stream.enqueue(Buffer.from('PK')) })
      const answer = node.as(handle).ask('/registry/owners/ada/packages', {
        method: 'POST',
        headers: { 'content-type': 'application/zip' },
        body,
        duplex: 'half',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(1_000)]),
      } as RequestInit)
      const outcome = await answer.then(codeOf, () => 'waits for more')
      stopping.abort()
      return outcome
    }
    const spool = () => readdir(node.deps.settings.spoolFolder)
    expect([await begin('bob'), await spool()]).toEqual(['not_permitted', []])
    expect(await begin('robot')).toBe('waits for more')
  },
)

test.each([
  ['a disabled account', (node: RegistryNode) => node.access.disable('robot'), 'credential_invalid'],
  [
    'a right that was taken away',
    (node: RegistryNode) => node.access.revoke('robot', 'ada', 'write', 'com.example.blinky'),
    'not_permitted',
  ],
])('[A-610] an upload that is under way ends with %s', async (_, end, code) => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  node.access.grant('robot', 'ada', 'write', 'com.example.blinky')
  node.access.grant('robot', 'ada', 'write', 'com.example.other')
  const isAllowed = vi.spyOn(node.access, 'isAllowed')
  // After the last question of the examination, and before anything is published.
  isAllowed.mockImplementationOnce(async () => {
    end(node)
    return true
  })
  const response = await node.as('robot').publish(archiveOf(), { owner: 'ada' })
  expect(await codeOf(response)).toBe(code)
  expect(await node.db.selectFrom('packages').select('identifier').execute()).toEqual([])
})
