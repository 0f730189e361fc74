import { getPeople, type ListedPerson, patchPerson, postInvitation } from '@patchbay/contracts/identity'
import { recordSql } from '@patchbay/testkit/sql'
import { expect, test } from 'vitest'
import { listPeople } from '../../src/people/people.store.ts'
import { type Browser, makePerson } from '../browser.ts'
import { codeOf } from '../session-list/credentials.ts'
import { dumpTables } from '../session-list/dump.ts'
import { startIdentity } from '../start.ts'

interface Page {
  readonly items: readonly ListedPerson[]
  readonly next_cursor: string | null
}
const pageOf = async (browser: Browser, query: string) =>
  (await (await browser.ask(`/auth/people${query}`)).json()) as Page

test('[C-240] whoever is no administrator sees and changes nothing', async () => {
  await using node = await startIdentity()
  const bob = await node.signedIn('bob')
  await node.signedIn('ada', { isAdmin: true })
  const before = await dumpTables(node.db)
  const answers = [
    await bob.ask(getPeople.path),
    await bob.change(patchPerson.method, '/auth/people/ada', { is_disabled: true }),
    await bob.change(patchPerson.method, '/auth/people/nobody-here', { is_disabled: true }),
    await bob.change(postInvitation.method, postInvitation.path, {}),
  ]
  expect(await Promise.all(answers.map(codeOf))).toEqual(Array.from(answers, () => 'not_permitted'))
  expect(await dumpTables(node.db)).toBe(before)
})

test('[C-241] people are listed by handle, and no cache keeps the list', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada', { isAdmin: true })
  await node.signedIn('bob')
  await ada.change('PATCH', '/auth/people/bob', { is_disabled: true })
  const response = await ada.ask('/auth/people')
  expect(response.headers.get('cache-control')).toBe('no-store')
  const common = { created_at: '2026-01-01T00:00:00.000Z' }
  expect(await response.json()).toEqual({
    items: [
      { handle: 'ada', display_name: 'ada', is_admin: true, is_disabled: false, ...common },
      { handle: 'bob', display_name: 'bob', is_admin: false, is_disabled: true, ...common },
    ],
    next_cursor: null,
  })
})

test('[C-241] every account is on one page once, also when accounts are made in between', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada', { isAdmin: true })
  const others = ['a', 'a-1', 'a1', 'b', 'ba', 'z9', 'zz-top']
  for (const handle of others) await makePerson(node.deps, handle)
  const seen: string[] = []
  let query = '?limit=3'
  for (let page = await pageOf(ada, query); ; page = await pageOf(ada, query)) {
    seen.push(...page.items.map(({ handle }) => handle))
    if (page.next_cursor === null) break
    await makePerson(node.deps, `m-${seen.length}`)
    query = `?limit=3&cursor=${page.next_cursor}`
  }
  expect(seen.filter((handle) => !handle.startsWith('m-')).toSorted()).toEqual(['ada', ...others].toSorted())
  expect(new Set(seen).size).toBe(seen.length)
})

test('[C-241] a page that holds the rest exactly is the last', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada', { isAdmin: true })
  await makePerson(node.deps, 'bob')
  expect((await pageOf(ada, '?limit=2')).next_cursor).toBeNull()
  expect((await pageOf(ada, '?limit=1')).next_cursor).not.toBeNull()
})

test('[C-241] a cursor that no page gave is refused', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada', { isAdmin: true })
  const cursors = [
    'x',
    '%00',
    Buffer.from("' or 1=1").toString('base64url'),
    Buffer.from('A').toString('base64url'),
  ]
  for (const cursor of cursors) {
    const response = await ada.ask(`/auth/people?cursor=${cursor}`)
    expect([cursor, response.status, await codeOf(response)]).toEqual([cursor, 400, 'invalid_request'])
  }
})

test('[C-247] the SQL of the list is as reviewed', async () => {
  await using node = await startIdentity()
  const page = await recordSql(node.db, (db) => listPeople({ db }, { after: 'ada', limit: 50 }))
  await expect(page).toMatchFileSnapshot('snapshots/list-people.sql')
})
