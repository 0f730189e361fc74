import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { makePerson } from '../browser.ts'
import { codeOf, tally } from '../session-list/credentials.ts'
import { startTwoNodes, type TwoNodes } from '../session-list/two-nodes.ts'

const MEMBERS = '/auth/organizations/acme/members'

/** 24 people who all own acme, their browsers spread over two nodes. */
async function everybodyOwnsAcme({ nodes: [first, second] }: TwoNodes) {
  const people = await Promise.all(
    Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? first : second).signedIn(`owner-${index}`)),
  )
  const [founder] = people
  await founder?.change('POST', '/auth/organizations', { handle: 'acme', display_name: 'Acme' })
  for (const { handle } of people) await founder?.change('PUT', `${MEMBERS}/${handle}`, { role: 'owner' })
  return people
}

const owners = async ({ nodes: [{ db }] }: TwoNodes) =>
  await db.selectFrom('members').select('person_id').where('role', '=', 'owner').execute()

test('[C-227] of 24 owners who all leave at once, one stays', async () => {
  await using pair = await startTwoNodes()
  const people = await everybodyOwnsAcme(pair)
  const answers = await Promise.all(
    people.map((person) => person.change('DELETE', `${MEMBERS}/${person.handle}`)),
  )
  expect(tally(answers)).toEqual({ 204: 23, 409: 1 })
  expect(await owners(pair)).toHaveLength(1)
})

deepTest('[C-227] two owners who demote each other at once leave one of them, ten times over', async () => {
  await using pair = await startTwoNodes()
  const [first, second] = pair.nodes
  const ada = await first.signedIn('ada')
  const bob = await second.signedIn('bob')
  for (let round = 0; round < 10; round += 1) {
    const organization = `/auth/organizations/acme-${round}/members`
    await ada.change('POST', '/auth/organizations', { handle: `acme-${round}`, display_name: 'Acme' })
    await ada.change('PUT', `${organization}/bob`, { role: 'owner' })
    const answers = await Promise.all([
      ada.change('PUT', `${organization}/bob`, { role: 'member' }),
      bob.change('PUT', `${organization}/ada`, { role: 'member' }),
    ])
    // Whoever came second was no owner anymore.
    expect(tally(answers)).toEqual({ 204: 1, 403: 1 })
  }
  expect(await owners(pair)).toHaveLength(10)
})

deepTest('[C-228] an organization with room for 5 takes 5 of 24 who are added at once', async () => {
  await using pair = await startTwoNodes()
  const [first, second] = pair.nodes
  const { db, deps, clock } = first
  const ada = await first.signedIn('ada')
  await ada.change('POST', '/auth/organizations', { handle: 'acme', display_name: 'Acme' })
  const { id } = await db.selectFrom('organizations').select('id').executeTakeFirstOrThrow()
  const crowd = Array.from({ length: 494 }, (_, index) => `crowd-${index}`)
  await db
    .insertInto('handles')
    .values(crowd.map((handle) => ({ handle, kind: 'person' as const })))
    .execute()
  const now = clock.now()
  const people = await db
    .insertInto('people')
    .values(crowd.map((handle) => ({ handle, display_name: handle, created_at: now, sessions_seen_at: now })))
    .returning('id')
    .execute()
  await db
    .insertInto('members')
    .values(
      people.map((person) => ({
        organization_id: id,
        person_id: person.id,
        role: 'member' as const,
        created_at: now,
      })),
    )
    .execute()
  const late = Array.from({ length: 24 }, (_, index) => `late-${index}`)
  for (const handle of late) await makePerson(deps, handle)
  const answers = await Promise.all(
    late.map((handle, index) =>
      ada
        .at(index % 2 === 0 ? first.url : second.url)
        .change('PUT', `${MEMBERS}/${handle}`, { role: 'member' }),
    ),
  )
  expect(tally(answers)).toEqual({ 204: 5, 409: 19 })
  const { items } = (await (await ada.ask(MEMBERS)).json()) as { items: unknown[] }
  expect(items).toHaveLength(500)
  expect((await ada.change('PUT', `${MEMBERS}/crowd-0`, { role: 'owner' })).status).toBe(204)
})

deepTest('[C-228] a person with room for 3 more is put in 3 of 24 organizations at once', async () => {
  await using pair = await startTwoNodes()
  const [first, second] = pair.nodes
  const { db, deps, clock } = first
  const bobId = await makePerson(deps, 'bob')
  const now = clock.now()
  const crowd = Array.from({ length: 197 }, (_, index) => `crowd-${index}`)
  await db
    .insertInto('handles')
    .values(crowd.map((handle) => ({ handle, kind: 'organization' as const })))
    .execute()
  const organizations = await db
    .insertInto('organizations')
    .values(crowd.map((handle) => ({ handle, display_name: handle, created_at: now })))
    .returning('id')
    .execute()
  await db
    .insertInto('members')
    .values(
      organizations.map(({ id }) => ({
        organization_id: id,
        person_id: bobId,
        role: 'member' as const,
        created_at: now,
      })),
    )
    .execute()
  const owning = await Promise.all(
    Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? first : second).signedIn(`owner-${index}`)),
  )
  await Promise.all(
    owning.map((owner) =>
      owner.change('POST', '/auth/organizations', { handle: `of-${owner.handle}`, display_name: 'One' }),
    ),
  )
  const answers = await Promise.all(
    owning.map((owner) =>
      owner.change('PUT', `/auth/organizations/of-${owner.handle}/members/bob`, { role: 'member' }),
    ),
  )
  expect(tally(answers)).toEqual({ 204: 3, 409: 21 })
  const refused = answers.filter(({ status }) => status === 409)
  expect(new Set(await Promise.all(refused.map(codeOf)))).toEqual(new Set(['limit_reached']))
  const bob = await first.signedIn('bob')
  const { items } = (await (await bob.ask('/auth/organizations')).json()) as { items: unknown[] }
  expect(items).toHaveLength(200)
})
