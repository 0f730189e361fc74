import { inTransaction } from '@patchbay/kernel/postgres'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { recordSql } from '@patchbay/testkit/sql'
import { expect } from 'vitest'
import { endAllAccess, setDisabled } from '../../src/people/people.store.ts'
import { beginBrowserSession } from '../../src/sessions/browser-session.store.ts'
import { openIntent } from '../intents/intents.ts'
import {
  asApplication,
  codeOf,
  giveApplicationSession,
  makeKey,
  tally,
  withKey,
} from '../session-list/credentials.ts'
import { startTwoNodes } from '../session-list/two-nodes.ts'
import { startIdentity } from '../start.ts'
import { afterEndOfAccess, expectWaiting } from './end-of-access.ts'

const PAGE = { ip: '127.0.0.1', headers: {} }

test('[C-242] disabling at one node ends cookie, bearer token and API key at the other', async () => {
  await using pair = await startTwoNodes()
  const [first, second] = pair.nodes
  const ada = await first.signedIn('ada', { isAdmin: true })
  const bob = await second.signedIn('bob')
  const application = await giveApplicationSession(second.deps, bob.personId)
  const key = await makeKey(bob)
  const credentials = [{ headers: { cookie: bob.cookie } }, asApplication(application), withKey(key)]
  const knock = async () =>
    await Promise.all(credentials.map(async (init) => (await second.ask('/auth/whoami', init)).status))
  expect(await knock()).toEqual([200, 200, 200])
  const disabled = await ada.change('PATCH', '/auth/people/bob', { is_disabled: true })
  expect(await disabled.json()).toMatchObject({ handle: 'bob', is_disabled: true })
  expect(await knock()).toEqual([401, 401, 401])
  await expect(beginBrowserSession(second.deps, PAGE, bob.personId)).rejects.toMatchObject({
    code: 'account_disabled',
  })
  expect((await ada.ask('/auth/people')).status).toBe(200)
})

test('[C-243] S6: enabling brings back the way in, and neither session nor key', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada', { isAdmin: true })
  const bob = await node.signedIn('bob')
  const application = await giveApplicationSession(node.deps, bob.personId)
  const key = await makeKey(bob)
  await ada.change('PATCH', '/auth/people/bob', { is_disabled: true })
  const enabled = await ada.change('PATCH', '/auth/people/bob', { is_disabled: false })
  expect(await enabled.json()).toMatchObject({ is_disabled: false })
  expect((await bob.ask('/auth/keys')).status).toBe(401)
  expect((await node.ask('/auth/whoami', asApplication(application))).status).toBe(401)
  expect((await node.ask('/auth/whoami', withKey(key))).status).toBe(401)
  expect((await (await node.signedIn('bob')).ask('/auth/keys')).status).toBe(200)
})

test('[C-249] S6: ending all access leaves no session, key or invitation, and the account as it is', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada', { isAdmin: true })
  const bob = await node.signedIn('bob', { isAdmin: true })
  const application = await giveApplicationSession(node.deps, bob.personId)
  const key = await makeKey(bob)
  await bob.change('POST', '/auth/invitations', {})
  const eve = await node.signedIn('eve')
  expect(await codeOf(await eve.change('DELETE', '/auth/people/bob/access'))).toBe('not_permitted')
  expect(await codeOf(await ada.change('DELETE', '/auth/people/nobody/access'))).toBe('not_found')
  expect((await ada.change('DELETE', '/auth/people/bob/access')).status).toBe(204)
  expect((await bob.ask('/auth/keys')).status).toBe(401)
  expect((await node.ask('/auth/whoami', asApplication(application))).status).toBe(401)
  expect((await node.ask('/auth/whoami', withKey(key))).status).toBe(401)
  expect(await node.db.selectFrom('invitations').selectAll().execute()).toEqual([])
  expect((await (await node.signedIn('bob')).ask('/auth/keys')).status).toBe(200)
})

test('[C-295] the links to workspaces that somebody made end with their access, and with their account', async () => {
  const ended: string[] = []
  await using node = await startIdentity({
    endWorkspaceLinks: async (handle) => void ended.push(handle),
  })
  const ada = await node.signedIn('ada', { isAdmin: true })
  await node.signedIn('bob')
  await ada.change('DELETE', '/auth/people/bob/access')
  await ada.change('PATCH', '/auth/people/bob', { is_disabled: true })
  expect(ended).toEqual(['bob', 'bob'])
  await ada.change('PATCH', '/auth/people/bob', { is_disabled: false })
  await ada.change('DELETE', '/auth/people/nobody/access')
  expect(ended).toHaveLength(2)
})

deepTest.for([
  ['an API key', 'api_keys', 'POST', '/auth/keys', { name: 'late', scopes: ['packages:bob/*'] }],
  ['an invitation', 'invitations', 'POST', '/auth/invitations', { makes_admin: true }],
  ['an application session', 'sessions', 'PATCH', '/auth/intents/:token', {}],
] as const)(
  '[C-249] %s that waits while all access is ended is not made',
  async ([, table, method, path, body]) => {
    await using node = await startIdentity()
    const bob = await node.signedIn('bob', { isAdmin: true })
    const { token } = await openIntent(node)
    const late = await afterEndOfAccess(node, 'bob', () =>
      bob.change(method, path.replace(':token', token), body),
    )
    expect([late.status, await codeOf(late)]).toEqual([401, 'sign_in_required'])
    expect(await node.db.selectFrom(table).selectAll().execute()).toEqual([])
  },
)

test('[C-249] an invitation that is accepted after all access was ended makes no administrator', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada', { isAdmin: true })
  const made = await ada.change('POST', '/auth/invitations', { makes_admin: true })
  const { url } = (await made.json()) as { url: string }
  const invitation = new URL(url).searchParams.get('invitation')
  const bob = await node.signedIn('bob')
  const late = await afterEndOfAccess(node, 'bob', () =>
    bob.change('POST', '/auth/invitations/accept', { invitation }),
  )
  expect([late.status, await codeOf(late)]).toEqual([401, 'sign_in_required'])
  const people = await node.db.selectFrom('people').select(['handle', 'is_admin']).execute()
  expect(people.filter(({ is_admin }) => is_admin).map(({ handle }) => handle)).toEqual(['ada'])
})

test('[C-249] an application session whose approval is under way is ended with all access', async () => {
  await using node = await startIdentity()
  const bob = await node.signedIn('bob')
  const { token } = await openIntent(node)
  const { approved, ended } = await inTransaction(node.db, async (transaction) => {
    await transaction.selectFrom('intents').select('token_hash').forUpdate().execute()
    const approving = bob.change('PATCH', `/auth/intents/${token}`)
    await expectWaiting(node, 1)
    const ending = endAllAccess(node.deps, 'bob')
    // It waits for the approval; without a lock it would be through, and miss the session that is not there yet.
    await Promise.race([ending, expectWaiting(node, 2)])
    return { approved: approving, ended: ending }
  })
  await Promise.all([approved, ended])
  expect(await node.db.selectFrom('sessions').selectAll().execute()).toEqual([])
})

deepTest('[C-243] no session that began while the account was being disabled outlives that', async () => {
  await using pair = await startTwoNodes()
  const [first, second] = pair.nodes
  const { personId } = await first.signedIn('bob')
  for (let round = 0; round < 8; round += 1) {
    const signIns = Array.from({ length: 24 }, (_, index) =>
      beginBrowserSession((index % 2 === 0 ? first : second).deps, PAGE, personId),
    )
    // In the middle of them: some are through, some are under way, some have not begun.
    const disabling = signIns[round]?.then(() => setDisabled(second.deps, 'bob', true))
    await Promise.all([disabling, Promise.allSettled(signIns)])
    const left = await first.db.selectFrom('sessions').select('id').execute()
    expect(left).toEqual([])
    await setDisabled(first.deps, 'bob', false)
  }
})

test('[C-243] an intent that was linked while the account was being disabled gives no session afterwards', async () => {
  await using node = await startIdentity()
  const { personId } = await node.signedIn('bob')
  await setDisabled(node.deps, 'bob', true)
  // As a link leaves it that read the account a moment before it was disabled.
  const application = await giveApplicationSession(node.deps, personId)
  expect((await node.ask('/auth/whoami', asApplication(application))).status).toBe(401)
  await setDisabled(node.deps, 'bob', false)
  expect((await node.ask('/auth/whoami', asApplication(application))).status).toBe(401)
})

test('[C-244] disabling twice keeps the first moment; enabling what is enabled changes nothing', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada', { isAdmin: true })
  await node.signedIn('bob')
  const idle = await ada.change('PATCH', '/auth/people/bob', { is_disabled: false })
  expect(await idle.json()).toMatchObject({ is_disabled: false })
  await setDisabled(node.deps, 'bob', true)
  node.clock.advance(60_000)
  expect((await setDisabled(node.deps, 'bob', true)).disabledAt?.toISOString()).toBe(
    '2026-01-01T00:00:00.000Z',
  )
  const nobody = await ada.change('PATCH', '/auth/people/nobody-here', { is_disabled: true })
  expect([nobody.status, await codeOf(nobody)]).toEqual([404, 'not_found'])
})

test('[C-245] the last administrator whose account works stays', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada', { isAdmin: true })
  await node.signedIn('eve', { isAdmin: true })
  await setDisabled(node.deps, 'eve', true)
  const last = await ada.change('PATCH', '/auth/people/ada', { is_disabled: true })
  expect([last.status, await codeOf(last)]).toEqual([409, 'last_admin'])
  expect((await ada.change('PATCH', '/auth/people/eve', { is_disabled: true })).status).toBe(200)
  await ada.change('PATCH', '/auth/people/eve', { is_disabled: false })
  expect((await ada.change('PATCH', '/auth/people/ada', { is_disabled: true })).status).toBe(200)
  expect((await ada.ask('/auth/people')).status).toBe(401)
})

deepTest('[C-245] of 24 administrators who are all disabled at once, one stays', async () => {
  await using pair = await startTwoNodes()
  const [first, second] = pair.nodes
  const handles = Array.from({ length: 24 }, (_, index) => `admin-${index}`)
  for (const handle of handles) await first.signedIn(handle, { isAdmin: true })
  const outcomes = await Promise.allSettled(
    handles.map((handle, index) => setDisabled((index % 2 === 0 ? first : second).deps, handle, true)),
  )
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject([{ reason: { code: 'last_admin' } }])
  const left = await first.db.selectFrom('people').select('handle').where('disabled_at', 'is', null).execute()
  expect(left).toHaveLength(1)
})

deepTest('[C-245] two administrators who disable each other at once leave one, ten times over', async () => {
  await using pair = await startTwoNodes()
  const [first, second] = pair.nodes
  for (let round = 0; round < 10; round += 1) {
    const ada = await first.signedIn('ada', { isAdmin: true })
    const eve = await second.signedIn('eve', { isAdmin: true })
    const answers = await Promise.all([
      ada.change('PATCH', '/auth/people/eve', { is_disabled: true }),
      eve.change('PATCH', '/auth/people/ada', { is_disabled: true }),
    ])
    // The second was told so, or had lost their session before they asked.
    expect(tally(answers)[200]).toBe(1)
    const left = await first.db
      .selectFrom('people')
      .select('handle')
      .where('disabled_at', 'is', null)
      .execute()
    expect(left).toHaveLength(1)
    await setDisabled(first.deps, 'ada', false)
    await setDisabled(first.deps, 'eve', false)
  }
})

deepTest('[C-247] the SQL of disabling is as reviewed', async () => {
  await using node = await startIdentity()
  await node.signedIn('ada')
  await expect(
    await recordSql(node.db, (db) => setDisabled({ ...node.deps, db }, 'ada', true)),
  ).toMatchFileSnapshot('snapshots/disable.sql')
})
