import type { ListedSession } from '@patchbay/contracts/identity'
import { recordSql } from '@patchbay/testkit/sql'
import { expect, test } from 'vitest'
import { endOtherSessions, listSessions } from '../../src/sessions/session-list.store.ts'
import type { Browser } from '../browser.ts'
import { startIdentity } from '../start.ts'
import { asApplication, codeOf, giveApplicationSession } from './credentials.ts'
import { startTwoNodes } from './two-nodes.ts'

interface Page {
  readonly items: readonly ListedSession[]
  readonly next_cursor: string | null
}
const listOf = async (browser: Browser, query = '') =>
  (await (await browser.ask(`/auth/sessions${query}`)).json()) as Page

test('[C-260] a person sees their live sessions, newest first, and which one asks', async () => {
  await using node = await startIdentity()
  await node.signedIn('bob')
  const ada = await node.signedIn('ada')
  node.clock.advance(1_000)
  const application = await giveApplicationSession(node.deps, ada.personId, { lifetimeSeconds: 3_600 })
  await giveApplicationSession(node.deps, ada.personId, { label: 'over', lifetimeSeconds: 1 })
  node.clock.advance(1_000)
  const response = await ada.ask('/auth/sessions')
  expect(response.headers.get('cache-control')).toBe('no-store')
  const { items, next_cursor: next } = (await response.json()) as Page
  expect(next).toBeNull()
  expect(items).toEqual([
    {
      id: application.id,
      kind: 'application',
      label: 'patchbay CLI',
      device: 'patchbay-cli on Linux',
      network: '192.0.2.7',
      created_at: '2026-01-01T00:00:01.000Z',
      last_used_at: '2026-01-01T00:00:01.000Z',
      expires_at: '2026-01-01T01:00:01.000Z',
      is_current: false,
      is_new: true,
    },
    {
      id: items[1]?.id,
      kind: 'browser',
      label: null,
      device: 'Firefox on Linux',
      network: '127.0.0.1',
      created_at: '2026-01-01T00:00:00.000Z',
      last_used_at: '2026-01-01T00:00:00.000Z',
      expires_at: '2026-01-31T00:00:00.000Z',
      is_current: true,
      is_new: false,
    },
  ])
})

test('[C-260] a browser that has rested too long is not in the list', async () => {
  await using node = await startIdentity({ settings: { browserIdleSeconds: 600 } })
  await node.signedIn('ada')
  node.clock.advance(600_000)
  const ada = await node.signedIn('ada')
  const { items } = await listOf(ada)
  expect(items.map((session) => session.is_current)).toEqual([true])
})

test('[C-261] every session is on one page once, also those of one millisecond', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  for (let index = 0; index < 12; index += 1) {
    await giveApplicationSession(node.deps, ada.personId)
    if (index % 5 === 4) node.clock.advance(1)
  }
  const pages: Page[] = []
  for (let query = '?limit=4'; query !== ''; ) {
    const page = await listOf(ada, query)
    pages.push(page)
    query = page.next_cursor === null ? '' : `?limit=4&cursor=${page.next_cursor}`
  }
  expect(pages.map(({ items }) => items.length)).toEqual([4, 4, 4, 1])
  const inPages = pages.flatMap(({ items }) => items.map(({ id }) => id))
  expect(new Set(inPages).size).toBe(13)
  expect((await listOf(ada)).items.map(({ id }) => id)).toEqual(inPages)
})

test('[C-261] a cursor that no page gave is refused', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const texts = [
    'x',
    '2026-01-01T00:00:00.000Z',
    '2026-99-99T00:00:00.000Z 00000000-0000-0000-0000-000000000000',
  ]
  for (const text of texts) {
    const response = await ada.ask(`/auth/sessions?cursor=${Buffer.from(text).toString('base64url')}`)
    expect([text, response.status, await codeOf(response)]).toEqual([text, 400, 'invalid_request'])
  }
})

test('[C-262] a session of an application is new until the person has looked', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  node.clock.advance(1_000)
  await giveApplicationSession(node.deps, ada.personId)
  const other = await node.signedIn('ada')
  const newOnes = async () => {
    const { items } = await listOf(ada)
    return items.filter((session) => session.is_new).map(({ kind }) => kind)
  }
  const counted = async () =>
    ((await (await ada.ask('/auth/session')).json()) as { new_application_sessions: number })
      .new_application_sessions
  expect([await newOnes(), await counted()]).toEqual([['application'], 1])
  expect((await other.change('POST', '/auth/sessions/seen')).status).toBe(204)
  expect([await newOnes(), await counted()]).toEqual([[], 0])
  node.clock.advance(1_000)
  await giveApplicationSession(node.deps, ada.personId)
  expect([await newOnes(), await counted()]).toEqual([['application'], 1])
})

test('[C-262] what came after the newest one that was shown stays new', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const newOnes = async () => (await listOf(ada)).items.filter((session) => session.is_new).length
  node.clock.advance(1_000)
  await giveApplicationSession(node.deps, ada.personId)
  const shown = (await listOf(ada)).items[0]?.created_at
  node.clock.advance(1_000)
  await giveApplicationSession(node.deps, ada.personId)
  await ada.change('POST', '/auth/sessions/seen', { until: shown })
  expect(await newOnes()).toBe(1)
  const leap = await ada.change('POST', '/auth/sessions/seen', { until: '2016-12-31T23:59:60Z' })
  expect(leap.status).toBe(400)
  const far = new Date(node.clock.now().getTime() + 86_400_000).toISOString()
  await ada.change('POST', '/auth/sessions/seen', { until: far })
  await ada.change('POST', '/auth/sessions/seen', { until: shown })
  expect(await newOnes()).toBe(0)
  node.clock.advance(1_000)
  await giveApplicationSession(node.deps, ada.personId)
  expect(await newOnes()).toBe(1)
})

test('[C-263] a session that is revoked at one node is over at the other', async () => {
  await using pair = await startTwoNodes()
  const [first, second] = pair.nodes
  const ada = await first.signedIn('ada')
  const laptop = await second.signedIn('ada')
  const bob = await second.signedIn('bob')
  const application = await giveApplicationSession(second.deps, ada.personId)
  const whoami = async () => [
    (await second.ask('/auth/whoami', asApplication(application))).status,
    (await laptop.ask('/auth/whoami')).status,
  ]
  const foreign = await bob.change('DELETE', `/auth/sessions/${application.id}`)
  expect([foreign.status, await codeOf(foreign)]).toEqual([404, 'not_found'])
  expect(await whoami()).toEqual([200, 200])
  expect((await ada.change('DELETE', `/auth/sessions/${application.id}`)).status).toBe(204)
  expect(await whoami()).toEqual([401, 200])
  const laptopId = (await listOf(laptop)).items.find((session) => session.is_current)?.id
  expect((await ada.change('DELETE', `/auth/sessions/${laptopId}`)).status).toBe(204)
  expect(await whoami()).toEqual([401, 401])
  expect((await ada.change('DELETE', `/auth/sessions/${laptopId}`)).status).toBe(404)
})

test('[C-264] a browser that revokes its own session loses the cookie with it', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const other = await node.signedIn('ada')
  const ids = (await listOf(ada)).items
  const own = ids.find((session) => session.is_current)?.id
  const others = ids.find((session) => !session.is_current)?.id
  const ended = await ada.change('DELETE', `/auth/sessions/${others}`)
  expect(ended.headers.get('set-cookie')).toBeNull()
  expect((await other.ask('/auth/sessions')).status).toBe(401)
  const endedOwn = await ada.change('DELETE', `/auth/sessions/${own}`)
  expect(endedOwn.headers.get('set-cookie')).toMatch(/^__Host-patchbay-session=;.*Max-Age=0/)
  expect((await ada.ask('/auth/sessions')).status).toBe(401)
})

test('[C-265] ending the others leaves the one that asks, and other people’s', async () => {
  await using pair = await startTwoNodes()
  const [first, second] = pair.nodes
  const ada = await first.signedIn('ada')
  const laptop = await second.signedIn('ada')
  const bob = await second.signedIn('bob')
  const application = await giveApplicationSession(second.deps, ada.personId)
  await giveApplicationSession(second.deps, ada.personId, { lifetimeSeconds: 1 })
  pair.clock.advance(1_000)
  const ended = await ada.change('DELETE', '/auth/sessions')
  expect([ended.status, await ended.json()]).toEqual([200, { ended: 2 }])
  const answers = [
    await laptop.ask('/auth/whoami'),
    await second.ask('/auth/whoami', asApplication(application)),
    await ada.at(second.url).ask('/auth/whoami'),
    await bob.ask('/auth/whoami'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 200, 200])
  expect((await listOf(ada)).items).toHaveLength(1)
})

test('[C-266] the SQL of the list is as reviewed', async () => {
  await using node = await startIdentity()
  const { personId } = await node.signedIn('ada')
  const now = node.clock.now()
  const after = { createdAt: now, id: personId }
  await expect(
    await recordSql(node.db, (db) => listSessions(db, { personId, now, after, limit: 50 })),
  ).toMatchFileSnapshot('snapshots/list-sessions.sql')
  await expect(
    await recordSql(node.db, (db) => endOtherSessions(db, personId, personId, now)),
  ).toMatchFileSnapshot('snapshots/end-other-sessions.sql')
})
