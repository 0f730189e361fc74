import { expect, test } from 'vitest'
import { giveApplicationSession, makeKey } from '../session-list/credentials.ts'
import { outcomeOf, startWithCi, TRUST } from './with-ci.ts'

const LIST = '/auth/trusted-publishers?owner=ada'

test('[C-302][C-303] a person adds, sees and removes the trusted publishers of what they may publish', async () => {
  await using it = await startWithCi()
  const id = await it.trust({ environment: 'release' })
  await it.trust({ identifier: 'com.example.shade' })
  const list = (await (await it.ada.ask(`${LIST}&identifier=com.example.lamp`)).json()) as object
  expect(list).toEqual({
    items: [
      {
        id,
        ...TRUST,
        workflow: null,
        environment: 'release',
        added_by: 'ada',
        created_at: '2026-01-01T00:00:00.000Z',
        last_used_at: null,
      },
    ],
    services: [{ id: 'ci', name: 'Example CI' }],
    audience: 'http://patchbay.localhost',
  })
  const grace = await it.node.signedIn('grace')
  expect(await outcomeOf(await grace.ask(LIST))).toEqual([403, 'not_permitted'])
  expect(await outcomeOf(await grace.change('POST', '/auth/trusted-publishers', TRUST))).toEqual([
    403,
    'not_permitted',
  ])
  expect(await outcomeOf(await grace.change('DELETE', `/auth/trusted-publishers/${id}`))).toEqual([
    404,
    'not_found',
  ])
  expect((await it.ada.change('DELETE', `/auth/trusted-publishers/${id}`)).status).toBe(204)
  expect(await outcomeOf(await it.ada.change('DELETE', `/auth/trusted-publishers/${id}`))).toEqual([
    404,
    'not_found',
  ])
})

test('[C-302] neither a key nor an application adds one, nor a page of somebody else', async () => {
  await using it = await startWithCi()
  const { key } = await makeKey(it.ada)
  const { id } = await it.node.db.selectFrom('people').select('id').executeTakeFirstOrThrow()
  const { token } = await giveApplicationSession(it.node.deps, id)
  const add = (headers: Record<string, string>) =>
    it.node.ask('/auth/trusted-publishers', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(TRUST),
    })
  expect(await outcomeOf(await add({}))).toEqual([401, 'sign_in_required'])
  expect(await outcomeOf(await add({ 'x-api-key': key }))).toEqual([403, 'browser_session_required'])
  expect(await outcomeOf(await add({ authorization: `Bearer ${token}` }))).toEqual([
    403,
    'browser_session_required',
  ])
})

test('[C-306] what could mean more than it says is not taken', async () => {
  await using it = await startWithCi()
  const slips = [
    { ref: 'main' },
    { ref: 'refs/heads/*' },
    { ref: 'refs/pull/1/merge' },
    { ref: 'refs/heads/a b' },
    { ref: 'refs/heads/a*b' },
    { repository: 'lamp' },
    { repository: 'https://example.org/acme/lamp' },
    { workflow: 'release' },
    { environment: '' },
    { identifier: '*' },
  ]
  for (const slip of slips) {
    const response = await it.ada.change('POST', '/auth/trusted-publishers', { ...TRUST, ...slip })
    expect([slip, await outcomeOf(response)]).toEqual([slip, [400, 'invalid_request']])
  }
  await it.trust({ ref: 'refs/tags/*' })
})

test('[C-302] a service that the server does not trust cannot be named', async () => {
  await using it = await startWithCi()
  const response = await it.ada.change('POST', '/auth/trusted-publishers', { ...TRUST, service: 'other' })
  expect(await outcomeOf(response)).toEqual([404, 'ci_service_unknown'])
})

test('[C-310] a person has at most 50 of them, also when many are added at once', async () => {
  await using it = await startWithCi()
  for (let index = 0; index < 48; index++) await it.trust({ identifier: `com.example.lamp${index}` })
  const added = await Promise.all(
    Array.from({ length: 5 }, () => it.ada.change('POST', '/auth/trusted-publishers', TRUST)),
  )
  expect(added.filter(({ status }) => status === 201)).toHaveLength(2)
})
