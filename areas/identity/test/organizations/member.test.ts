import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { recordSql } from '@patchbay/testkit/sql'
import { expect } from 'vitest'
import { changeMember } from '../../src/organizations/member.store.ts'
import { setDisabled } from '../../src/people/people.store.ts'
import type { Browser } from '../browser.ts'
import { codeOf } from '../session-list/credentials.ts'
import { startIdentity } from '../start.ts'

const MEMBERS = '/auth/organizations/acme/members'

/** Ada owns acme, Bob maintains it, Cleo is a member, Dora has nothing to do with it. */
async function startAcme() {
  const node = await startIdentity()
  const ada = await node.signedIn('ada')
  const bob = await node.signedIn('bob')
  const cleo = await node.signedIn('cleo')
  const dora = await node.signedIn('dora')
  await ada.change('POST', '/auth/organizations', { handle: 'acme', display_name: 'Acme' })
  await ada.change('PUT', `${MEMBERS}/bob`, { role: 'maintainer' })
  await ada.change('PUT', `${MEMBERS}/cleo`, { role: 'member' })
  return { node, ada, bob, cleo, dora, [Symbol.asyncDispose]: () => node[Symbol.asyncDispose]() }
}

async function outcome(response: Response): Promise<string> {
  return response.ok ? String(response.status) : await codeOf(response)
}
const put = async (by: Browser, person: string, role: string) =>
  await outcome(await by.change('PUT', `${MEMBERS}/${person}`, { role }))
const remove = async (by: Browser, person: string) =>
  await outcome(await by.change('DELETE', `${MEMBERS}/${person}`))
const rolesSeenBy = async (by: Browser) => {
  const { items } = (await (await by.ask(MEMBERS)).json()) as { items: { handle: string; role: string }[] }
  return items.map(({ handle, role }) => `${handle} ${role}`)
}

test('[C-223] members see the members by handle; for others there is nothing', async () => {
  await using acme = await startAcme()
  const { cleo, dora } = acme
  expect(await (await cleo.ask(MEMBERS)).json()).toEqual({
    items: [
      { handle: 'ada', display_name: 'ada', role: 'owner' },
      { handle: 'bob', display_name: 'bob', role: 'maintainer' },
      { handle: 'cleo', display_name: 'cleo', role: 'member' },
    ],
  })
  const asStranger = await dora.ask(MEMBERS)
  const nowhere = await dora.ask('/auth/organizations/nowhere/members')
  expect([asStranger.status, nowhere.status]).toEqual([404, 404])
  expect(await asStranger.text()).toBe(await nowhere.text())
})

test('[C-224] owners add members and change roles, and nobody else does', async () => {
  await using acme = await startAcme()
  const { ada, bob, cleo, dora } = acme
  expect(await put(bob, 'dora', 'member')).toBe('not_permitted')
  expect(await put(bob, 'bob', 'owner')).toBe('not_permitted')
  expect(await put(cleo, 'nobody-here', 'member')).toBe('not_permitted')
  expect(await put(dora, 'dora', 'owner')).toBe('not_found')
  expect(await put(dora, 'nobody-here', 'owner')).toBe('not_found')
  expect(await put(ada, 'nobody-here', 'member')).toBe('not_found')
  expect(
    await outcome(await ada.change('PUT', '/auth/organizations/nowhere/members/bob', { role: 'member' })),
  ).toBe('not_found')
  expect(await put(ada, 'acme', 'member')).toBe('not_found')
  expect(await put(ada, 'dora', 'member')).toBe('204')
  expect(await put(ada, 'cleo', 'owner')).toBe('204')
  expect(await put(cleo, 'bob', 'member')).toBe('204')
  expect(await rolesSeenBy(dora)).toEqual(['ada owner', 'bob member', 'cleo owner', 'dora member'])
})

test('[C-225] owners remove anybody, everybody removes themselves', async () => {
  await using acme = await startAcme()
  const { ada, bob, cleo, dora } = acme
  expect(await remove(bob, 'cleo')).toBe('not_permitted')
  expect(await remove(cleo, 'ada')).toBe('not_permitted')
  expect(await remove(dora, 'cleo')).toBe('not_found')
  expect(await remove(dora, 'dora')).toBe('not_found')
  expect(await remove(ada, 'dora')).toBe('not_found')
  expect(await remove(ada, 'nobody-here')).toBe('not_found')
  expect(await remove(cleo, 'cleo')).toBe('204')
  expect((await cleo.ask(MEMBERS)).status).toBe(404)
  expect(await remove(ada, 'bob')).toBe('204')
  expect(await rolesSeenBy(ada)).toEqual(['ada owner'])
})

test('[C-226] the last owner stays, whoever else belongs to it', async () => {
  await using acme = await startAcme()
  const { ada, bob } = acme
  expect(await remove(ada, 'ada')).toBe('last_owner')
  expect(await put(ada, 'ada', 'maintainer')).toBe('last_owner')
  expect(await put(ada, 'ada', 'owner')).toBe('204')
  await put(ada, 'bob', 'owner')
  expect(await remove(ada, 'ada')).toBe('204')
  expect(await remove(bob, 'bob')).toBe('last_owner')
  expect(await rolesSeenBy(bob)).toEqual(['bob owner', 'cleo member'])
})

deepTest('[C-226] an owner whose account is disabled does not count as one who stays', async () => {
  await using acme = await startAcme()
  const { node, ada, bob } = acme
  await put(ada, 'bob', 'owner')
  await setDisabled(node.deps, 'bob', true)
  expect(await remove(ada, 'ada')).toBe('last_owner')
  expect(await put(ada, 'ada', 'member')).toBe('last_owner')
  await setDisabled(node.deps, 'bob', false)
  expect(await remove(ada, 'ada')).toBe('204')
  expect((await bob.ask(MEMBERS)).status).toBe(401)
})

test('[C-230] the SQL of changing a member is as reviewed', async () => {
  await using acme = await startAcme()
  const { node, ada } = acme
  const wanted = { organization: 'acme', person: 'dora', askingId: ada.personId, now: node.clock.now() }
  const add = await recordSql(node.db, (db) => changeMember(db, { ...wanted, role: 'member' }))
  await expect(add).toMatchFileSnapshot('snapshots/add-member.sql')
  const leave = await recordSql(node.db, (db) => changeMember(db, { ...wanted, role: undefined }))
  await expect(leave).toMatchFileSnapshot('snapshots/remove-member.sql')
})
