import { expect, test } from 'vitest'
import { createInvitation } from '../../src/index.ts'
import { startWithIssuers } from '../oidc/with-issuer.ts'
import { startIdentity } from '../start.ts'
import { codeOf, sortedStatuses, Visitor } from './visitor.ts'

const HOUR = { makesAdmin: false, createdBy: null, ttlSeconds: 3_600 }

test('[C-101] the secret of an invitation is not in the database', async () => {
  await using node = await startIdentity()
  const { secret, expiresAt } = await createInvitation(node.deps, HOUR)
  expect(secret).toMatch(/^[\w-]{43}$/)
  expect(expiresAt.getTime() - node.clock.now().getTime()).toBe(3_600_000)
  const rows = await node.db.selectFrom('invitations').selectAll().execute()
  expect(rows).toHaveLength(1)
  expect(rows[0]?.secret_hash.toString('latin1')).not.toContain(secret)
  expect(rows[0]?.secret_hash).toHaveLength(32)
})

test('[C-102] a page learns what an invitation is good for, until its end', async () => {
  await using node = await startIdentity()
  const visitor = new Visitor(node)
  const check = async (invitation: string) => await visitor.post('/auth/invitations/check', { invitation })
  const { secret, expiresAt } = await createInvitation(node.deps, { ...HOUR, makesAdmin: true })
  node.clock.advance(3_599_000)
  const good = await check(secret)
  expect([good.status, await good.json()]).toEqual([
    200,
    { makes_admin: true, expires_at: expiresAt.toISOString() },
  ])
  node.clock.advance(2_000)
  for (const text of [secret, 'x'.repeat(43), '']) {
    const bad = await check(text)
    expect([bad.status, await codeOf(bad)]).toEqual([410, 'invitation_invalid'])
  }
})

test('[C-103] of two who use one invitation at once, one gets an account and the other leaves nothing', async () => {
  await using running = await startWithIssuers({ settings: { signUp: 'invited' } })
  const { node } = running
  const { secret } = await createInvitation(node.deps, HOUR)
  const people = ['ada', 'grace'].map((account) => ({ account, visitor: new Visitor(node) }))
  for (const { account, visitor } of people) {
    expect(await visitor.signInWith('company', account, { invitation: secret })).toBe('/sign-up')
  }
  const answers = await Promise.all(
    people.map(({ account, visitor }) =>
      visitor.post('/auth/sign-up', { handle: account, display_name: account }),
    ),
  )
  expect(sortedStatuses(answers)).toEqual([201, 410])
  for (const table of ['handles', 'people', 'external_identities', 'sessions'] as const) {
    expect(await node.db.selectFrom(table).selectAll().execute()).toHaveLength(1)
  }
  expect(await node.db.selectFrom('invitations').selectAll().execute()).toEqual([])
})

test('[C-103] a sign-up that fails over its handle does not use the invitation up', async () => {
  await using running = await startWithIssuers({ settings: { signUp: 'invited' } })
  await running.node.signedIn('ada')
  const { secret } = await createInvitation(running.node.deps, { ...HOUR, makesAdmin: true })
  const visitor = new Visitor(running.node)
  await visitor.signInWith('company', 'ada', { invitation: secret })
  const taken = await visitor.post('/auth/sign-up', { handle: 'ada', display_name: 'Ada' })
  expect([taken.status, await codeOf(taken)]).toEqual([409, 'handle_taken'])
  const made = await visitor.post('/auth/sign-up', { handle: 'ada-2', display_name: 'Ada' })
  expect([made.status, await made.json()]).toEqual([
    201,
    { person: { handle: 'ada-2', display_name: 'Ada', is_admin: true }, return_to: '/' },
  ])
})

test.for([true, false])('[C-104] an invitation with makes_admin %s', async (makesAdmin) => {
  await using running = await startWithIssuers({ settings: { signUp: 'invited' } })
  const { secret } = await createInvitation(running.node.deps, { ...HOUR, makesAdmin })
  const visitor = new Visitor(running.node)
  await visitor.signInWith('company', 'ada', { invitation: secret })
  const made = await visitor.post('/auth/sign-up', { handle: 'ada', display_name: 'Ada' })
  expect(await made.json()).toMatchObject({ person: { is_admin: makesAdmin } })
  const people = await running.node.db.selectFrom('people').select('is_admin').execute()
  expect(people).toEqual([{ is_admin: makesAdmin }])
})
