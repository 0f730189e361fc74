import { randomUUID } from 'node:crypto'
import { PRESENCE_LIMITS } from '@patchbay/contracts/limits'
import { personColor } from '@patchbay/contracts/panels'
import { atLatest, deepTest } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { pagesOf, readMember } from '../../src/rooms/present-browser.ts'
import { changeLayout } from '../../src/workspaces/layout-change.store.ts'
import { createTestAccess } from '../access.ts'
import type { TestBrowser } from './browser.ts'
import { addTab, RULES } from './changes.ts'
import { BOARD, type ControlUnderTest, startControl, startTwoNodes } from './start-control.ts'

const SOON = { deadlineMs: 10_000, intervalMs: 5 }

async function addTabs({ db }: Pick<ControlUnderTest, 'db'>, ...titles: string[]): Promise<string[]> {
  const changes = titles.map((title) => addTab(title))
  await changeLayout(db, BOARD, changes, { rules: RULES, now: new Date() })
  return changes.map(({ tab }) => tab.id)
}

const lists = (page: TestBrowser, ...people: string[]) =>
  waitUntil(`${people.join(', ')} listed`, () => page.people().join() === people.toSorted().join(), SOON)

test('[D-410][D-413] everybody is told who is there, on whatever node, and what they look at', async () => {
  const access = createTestAccess()
  access.grant('bob', 'ada', 'read')
  await using nodes = await startTwoNodes({
    access: {
      ...access,
      requirePerson: async (request) => {
        const person = await access.requirePerson(request)
        return person.handle === 'ada' ? { ...person, displayName: 'Ada Lovelace' } : person
      },
    },
  })
  const [editor, log] = await addTabs(nodes.one, 'Editor', 'Log')
  const begun = Date.now()
  await using ada = await nodes.one.open()
  await using bob = await nodes.two.open({ handle: 'bob' })
  for (const page of [ada, bob]) await lists(page, 'ada:null', 'bob:null')
  ada.look(editor ?? '')
  bob.look(log ?? '', 'ada')
  for (const page of [ada, bob]) await lists(page, `ada:${editor}`, `bob:${log}`)
  const { you, pages } = bob.all('people').at(-1) ?? { you: '', pages: [] }
  expect(you).toBe(bob.browserId)
  expect(pages).toEqual([
    {
      pageId: bob.browserId,
      handle: 'bob',
      name: 'bob',
      color: personColor('bob'),
      tabId: log,
      following: 'ada',
      isVisible: true,
      since: expect.any(String),
    },
    {
      pageId: ada.browserId,
      handle: 'ada',
      name: 'Ada Lovelace',
      color: personColor('ada'),
      tabId: editor,
      following: null,
      isVisible: true,
      since: expect.any(String),
    },
  ])
  expect(Math.abs(Date.parse(pages[0]?.since ?? '') - begun)).toBeLessThan(60_000)
  ada.attend({ isFocused: false })
  ada.attend({ isFocused: true })
  await waitUntil('ada comes first', () => bob.all('people').at(-1)?.pages[0]?.handle === 'ada', SOON)

  const left = performance.now()
  bob.socket.close()
  await lists(ada, `ada:${editor}`)
  expect(performance.now() - left).toBeLessThan(atLatest(2_000))
})

test('[D-411][D-412] a page says its tab and whom it follows, nothing of who it is, and no tab of elsewhere', async () => {
  await using node = await startControl()
  const [editor] = await addTabs(node, 'Editor')
  await using ada = await node.open()
  await using second = await node.open()
  second.look(editor ?? '')
  await lists(ada, 'ada:null', `ada:${editor}`)
  second.look(randomUUID())
  await lists(ada, 'ada:null', 'ada:null')
  second.send({ type: 'look', tabId: editor, following: null, handle: 'bob', name: 'Bob' })
  expect(await second.closed()).toBe('policy_violation')
  await lists(ada, 'ada:null')
  await using wrong = await node.open()
  wrong.send({ type: 'look', tabId: editor, following: 'no handle\u202e' })
  expect(await wrong.closed()).toBe('policy_violation')
})

deepTest('[D-412] of a thousand looks in a row the last one counts, and few are told', async () => {
  await using node = await startControl()
  const [editor = '', log = ''] = await addTabs(node, 'Editor', 'Log')
  await using ada = await node.open()
  await using bob = await node.open()
  await lists(bob, 'ada:null', 'ada:null')
  const before = bob.all('people').length
  const begun = performance.now()
  for (let time = 0; time < 500; time += 1) {
    ada.look(editor)
    ada.look(time < 499 ? null : log)
  }
  await lists(bob, 'ada:null', `ada:${log}`)
  const pauses = (performance.now() - begun) / PRESENCE_LIMITS.listPauseMs
  expect(bob.all('people').length - before).toBeLessThanOrEqual(Math.ceil(pauses) + 1)
  expect(ada.socket.readyState).toBe(ada.socket.OPEN)
})

deepTest(
  '[D-413] whoever may not see the workspace anymore is gone from the list, and is told nothing more',
  async () => {
    const access = createTestAccess()
    access.grant('bob', 'ada', 'read')
    await using node = await startControl({ access, timings: { recheckMs: 100 } })
    const [editor = ''] = await addTabs(node, 'Editor')
    await using ada = await node.open()
    await using bob = await node.open({ handle: 'bob' })
    await lists(ada, 'ada:null', 'bob:null')
    await lists(bob, 'ada:null', 'bob:null')
    access.revokeAll()
    await lists(ada, 'ada:null')
    ada.look(editor)
    await lists(ada, `ada:${editor}`)
    expect(await bob.closed()).toBe('workspace_not_permitted')
    expect(bob.people()).not.toContain(`ada:${editor}`)
    await using eve = await node.open({ handle: 'eve' })
    expect(await eve.closed()).toBe('workspace_not_permitted')
    expect(eve.all('people')).toEqual([])
  },
)

test('[D-414] nobody takes the place of somebody else’s page, neither with its own id nor with the one that is told', async () => {
  const access = createTestAccess()
  access.grant('bob', 'ada', 'read')
  await using nodes = await startTwoNodes({ access })
  const browserId = randomUUID()
  await using ada = await nodes.one.open({ browserId })
  await using same = await nodes.one.open({ handle: 'bob', browserId })
  await using told = await nodes.two.open({ handle: 'bob', browserId: ada.browserId })
  for (const page of [ada, same, told]) await lists(page, 'ada:null', 'bob:null', 'bob:null')
  for (const { socket } of [ada, same, told]) expect(socket.readyState).toBe(socket.OPEN)
  expect(JSON.stringify(told.received)).not.toContain(browserId)
})

test('[D-415] so many pages are listed, those that were used last, and none that an older node wrote', () => {
  const member = (number: number, who: unknown) => ({
    id: `page ${number}`,
    node: 'n',
    info: JSON.stringify([1, 0, 1, number, number, 0, ...(who === undefined ? [] : [who]), 'ready tab']),
  })
  const who = { name: 'Ada', handle: 'ada', tabId: null, following: null }
  const members = Array.from({ length: 200 }, (_, at) => member(at, at === 199 ? undefined : who))
  const present = members.flatMap((each) => readMember(each) ?? [])
  expect(present).toHaveLength(200)
  expect(new Set(present.flatMap(({ readyTabs }) => readyTabs))).toEqual(new Set(['ready tab']))
  const pages = pagesOf(present)
  expect(pages).toHaveLength(PRESENCE_LIMITS.pages)
  expect(pages[0]?.pageId).toBe('page 198')
})
