import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { recordSql } from '@patchbay/testkit/sql'
import { expect } from 'vitest'
import { createOrganization, listOrganizations } from '../../src/organizations/organization.store.ts'
import { codeOf, tally } from '../session-list/credentials.ts'
import { startTwoNodes } from '../session-list/two-nodes.ts'
import { startIdentity } from '../start.ts'

const named = (handle: string) => ({ handle, display_name: handle.toUpperCase() })

test('[C-220] whoever makes an organization owns it', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const bob = await node.signedIn('bob')
  const made = await ada.change('POST', '/auth/organizations', named('acme'))
  const acme = { handle: 'acme', display_name: 'ACME', role: 'owner', members: 1 }
  expect([made.status, await made.json()]).toEqual([201, acme])
  await ada.change('POST', '/auth/organizations', named('aardvark'))
  await ada.change('PUT', '/auth/organizations/acme/members/bob', { role: 'maintainer' })
  expect(await (await ada.ask('/auth/organizations')).json()).toEqual({
    items: [
      { handle: 'aardvark', display_name: 'AARDVARK', role: 'owner', members: 1 },
      { ...acme, members: 2 },
    ],
  })
  expect(await (await bob.ask('/auth/organizations')).json()).toEqual({
    items: [{ ...acme, role: 'maintainer', members: 2 }],
  })
})

test('[C-221] a handle of a person, an organization or the installation is taken', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  await node.signedIn('bob')
  await ada.change('POST', '/auth/organizations', named('acme'))
  for (const handle of ['ada', 'bob', 'acme', 'admin', 'api']) {
    const response = await ada.change('POST', '/auth/organizations', named(handle))
    expect([handle, response.status, await codeOf(response)]).toEqual([handle, 409, 'handle_taken'])
  }
  expect(await node.db.selectFrom('organizations').select('handle').execute()).toEqual([{ handle: 'acme' }])
})

deepTest(
  '[C-221] of 24 people who want one handle at once, one gets it and the others leave nothing',
  async () => {
    await using pair = await startTwoNodes()
    const [first, second] = pair.nodes
    const people = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        (index % 2 === 0 ? first : second).signedIn(`person-${index}`),
      ),
    )
    const answers = await Promise.all(
      people.map((person) => person.change('POST', '/auth/organizations', named('acme'))),
    )
    expect(tally(answers)).toEqual({ 201: 1, 409: 23 })
    const { db } = first
    expect(await db.selectFrom('organizations').select('handle').execute()).toHaveLength(1)
    expect(await db.selectFrom('members').select('role').execute()).toEqual([{ role: 'owner' }])
    expect(await db.selectFrom('handles').select('kind').where('handle', '=', 'acme').execute()).toEqual([
      { kind: 'organization' },
    ])
  },
)

deepTest('[C-222] a person makes 20 organizations, also when 30 are asked for at once', async () => {
  await using pair = await startTwoNodes()
  const [first, second] = pair.nodes
  const ada = await first.signedIn('ada')
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      ada
        .at(index % 2 === 0 ? first.url : second.url)
        .change('POST', '/auth/organizations', named(`organization-${index}`)),
    ),
  )
  expect(tally(answers)).toEqual({ 201: 20, 409: 10 })
  const refused = answers.filter(({ status }) => status === 409)
  expect(new Set(await Promise.all(refused.map(codeOf)))).toEqual(new Set(['limit_reached']))
  const organizations = await first.db
    .selectFrom('handles')
    .select('handle')
    .where('kind', '=', 'organization')
    .execute()
  expect(organizations).toHaveLength(20)
})

deepTest('[C-222] a person who owns 20 is not made an owner of another, and can be a member', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const bob = await node.signedIn('bob')
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => ada.change('POST', '/auth/organizations', named(`a-${index}`))),
  )
  await bob.change('POST', '/auth/organizations', named('acme'))
  const asOwner = await bob.change('PUT', '/auth/organizations/acme/members/ada', { role: 'owner' })
  expect(await codeOf(asOwner)).toBe('limit_reached')
  const asMember = await bob.change('PUT', '/auth/organizations/acme/members/ada', { role: 'maintainer' })
  expect(asMember.status).toBe(204)
})

test('[C-229] no cache keeps organizations or members', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  await ada.change('POST', '/auth/organizations', named('acme'))
  for (const path of ['/auth/organizations', '/auth/organizations/acme/members']) {
    expect((await ada.ask(path)).headers.get('cache-control')).toBe('no-store')
  }
})

deepTest('[C-230] the SQL of making and listing organizations is as reviewed', async () => {
  await using node = await startIdentity()
  const { personId } = await node.signedIn('ada')
  const organization = { handle: 'acme', displayName: 'Acme', ownerId: personId, now: node.clock.now() }
  await expect(await recordSql(node.db, (db) => createOrganization(db, organization))).toMatchFileSnapshot(
    'snapshots/create-organization.sql',
  )
  await expect(await recordSql(node.db, (db) => listOrganizations(db, personId))).toMatchFileSnapshot(
    'snapshots/list-organizations.sql',
  )
})
