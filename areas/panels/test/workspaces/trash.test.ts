import { randomUUID } from 'node:crypto'
import type { TrashedWorkspace } from '@patchbay/contracts/panels'
import { SettableClock } from '@patchbay/testkit/clock'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { TestCaller } from '../caller.ts'
import { startPanels, takePanels } from '../start.ts'
import { addTab, makeWorkspaceOf, readCurrent, verdict } from './current.ts'

const DAY = 24 * 60 * 60_000

interface Trash {
  readonly items: readonly TrashedWorkspace[]
  readonly nextCursor: string | null
}

async function trashOf(caller: TestCaller, query = ''): Promise<Trash> {
  return (await (await caller.ask(`/api/workspaces/trash/ada${query}`)).json()) as Trash
}

const inTrash = (id: string | undefined) => `/api/workspaces/trash/ada/${id}`

test('[D-387] a restored workspace is what it was, with all that any table has of it', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const kept = await addTab(ada, at, { initialState: { url: 'https://example.com/' } })
  const { tabId } = await addTab(ada, at, { initialState: { url: 'https://closed.example/' } })
  await ada.send('DELETE', `${at}/current/tabs/${tabId}`)
  // As another area has it: a table that this one does not know.
  await sql`create table notes (owner text, repo text, note text, foreign key (owner, repo) references workspaces on delete set null)`.execute(
    node.db,
  )
  try {
    await sql`insert into notes values ('ada', 'board', 'mine')`.execute(node.db)
    const before = await readCurrent(ada, at)
    expect(await verdict(ada.send('DELETE', at))).toBe('204')
    expect(await verdict(ada.ask(`${at}/current`))).toBe('404 workspace_not_found')
    expect(await (await ada.ask('/api/workspaces/editor/ada')).json()).toMatchObject({ items: [] })
    const [trashed] = (await trashOf(ada)).items
    expect(trashed).toMatchObject({ owner: 'ada', repo: 'board', tabs: 1 })
    expect(await verdict(ada.send('POST', `${inTrash(trashed?.id)}/restore`, {}))).toBe('200')
    expect(await readCurrent(ada, at)).toEqual(before)
    expect(before.tabs).toMatchObject([{ tabId: kept.tabId, state: { url: 'https://example.com/' } }])
    expect(await verdict(ada.send('POST', `${at}/closed-tabs/${tabId}/reopen`, {}))).toBe('201')
    const { rows } = await sql`select * from notes`.execute(node.db)
    expect(rows).toEqual([{ owner: 'ada', repo: 'board', note: 'mine' }])
    expect(await trashOf(ada)).toEqual({ items: [], nextCursor: null })
  } finally {
    await sql`drop table notes`.execute(node.db)
  }
})

test('[D-53][D-387] its name is free at once, and one that is taken is refused until another is given', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  await addTab(ada, at, {})
  await ada.send('DELETE', at)
  await makeWorkspaceOf(ada, 'ada')
  expect((await readCurrent(ada, at)).tabs).toEqual([])
  const [trashed] = (await trashOf(ada)).items
  const restore = (body: object) => verdict(ada.send('POST', `${inTrash(trashed?.id)}/restore`, body))
  expect(await restore({})).toBe('409 workspace_exists')
  expect(await restore({ repo: '~' })).toBe('400 invalid_request')
  expect((await trashOf(ada)).items).toHaveLength(1)
  expect(await restore({ repo: 'board-2' })).toBe('200')
  expect((await readCurrent(ada, `${at}-2`)).tabs).toHaveLength(1)
  expect(await restore({ repo: 'board-3' })).toBe('404 workspace_not_found')
})

test('[D-386] the trash is listed in pages, the last deleted first, and deleted for good', async () => {
  const clock = new SettableClock()
  await using node = await startPanels({ clock })
  const ada = node.as('ada')
  for (const repo of ['one', 'two', 'three', 'two']) {
    const at = await makeWorkspaceOf(ada, 'ada', repo)
    clock.advance(1_000)
    await ada.send('DELETE', at)
  }
  const first = await trashOf(ada, '?limit=3')
  expect(first.items.map(({ repo }) => repo)).toEqual(['two', 'three', 'two'])
  const second = await trashOf(ada, `?limit=3&cursor=${first.nextCursor}`)
  expect(second).toMatchObject({ items: [{ repo: 'one' }], nextCursor: null })
  const id = first.items[0]?.id
  expect(await verdict(ada.send('DELETE', inTrash(id)))).toBe('204')
  expect(await verdict(ada.send('DELETE', inTrash(id)))).toBe('404 workspace_not_found')
  expect(await verdict(ada.send('POST', `${inTrash(id)}/restore`, {}))).toBe('404 workspace_not_found')
  expect((await trashOf(ada)).items.map(({ repo }) => repo)).toEqual(['three', 'two', 'one'])
})

test('[D-386] only those who may change all workspaces of the owner see the trash', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  await ada.send('DELETE', await makeWorkspaceOf(ada, 'ada'))
  const [trashed] = (await trashOf(ada)).items
  node.access.grant('bob', 'ada', 'read')
  const bob = node.as('bob')
  expect(await verdict(bob.ask('/api/workspaces/trash/ada'))).toBe('403 not_permitted')
  expect(await verdict(bob.send('POST', `${inTrash(trashed?.id)}/restore`, {}))).toBe('403 not_permitted')
  expect(await verdict(bob.send('DELETE', inTrash(trashed?.id)))).toBe('403 not_permitted')
  expect(await verdict(bob.send('POST', `/api/workspaces/trash/bob/${trashed?.id}/restore`, {}))).toBe(
    '404 workspace_not_found',
  )
  expect((await trashOf(ada)).items).toHaveLength(1)
})

test('[D-387] of many that restore it at once, one does, and nothing is lost', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  await addTab(ada, at, {})
  await ada.send('DELETE', at)
  const [trashed] = (await trashOf(ada)).items
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      verdict(ada.send('POST', `${inTrash(trashed?.id)}/restore`, { repo: `board-${index}` })),
    ),
  )
  expect(answers.filter((answer) => answer === '200')).toHaveLength(1)
  expect(answers.filter((answer) => answer === '404 workspace_not_found')).toHaveLength(7)
  expect(await node.db.selectFrom('workspaces').select('tab_count').execute()).toEqual([{ tab_count: 1 }])
})

test('[D-387] changes that are made while it is deleted are in it, or refused', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, index) =>
      index === 10
        ? await verdict(ada.send('DELETE', at))
        : await verdict(
            ada.send('POST', `${at}/current/tabs`, { panelType: 'webview', tabId: randomUUID() }),
          ),
    ),
  )
  const made = answers.filter((answer) => answer === '201').length
  expect(answers.filter((answer) => !['201', '204', '404 workspace_not_found'].includes(answer))).toEqual([])
  const [trashed] = (await trashOf(ada)).items
  await ada.send('POST', `${inTrash(trashed?.id)}/restore`, {})
  expect((await readCurrent(ada, at)).tabs).toHaveLength(made)
})

test('[D-388] after 30 days it is not found anymore, and housekeeping deletes it', async () => {
  const clock = new SettableClock()
  await using node = await startPanels({ clock })
  const ada = node.as('ada')
  await ada.send('DELETE', await makeWorkspaceOf(ada, 'ada', 'old'))
  clock.advance(29 * DAY)
  await ada.send('DELETE', await makeWorkspaceOf(ada, 'ada', 'young'))
  const [, old] = (await trashOf(ada)).items
  clock.advance(DAY)
  expect((await trashOf(ada)).items.map(({ repo }) => repo)).toEqual(['young'])
  expect(await verdict(ada.send('POST', `${inTrash(old?.id)}/restore`, {}))).toBe('404 workspace_not_found')
  await node.panels.housekeeping.sweep()
  const rows = await node.db.selectFrom('workspaces').select('trashed_repo').execute()
  expect(rows).toEqual([{ trashed_repo: 'young' }])
})
