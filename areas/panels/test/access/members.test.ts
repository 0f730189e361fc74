import { SHARING_LIMITS } from '@patchbay/contracts/limits'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { listActions } from '../../src/access/action.store.ts'
import { admit } from '../../src/access/admission.store.ts'
import { setMember } from '../../src/access/member.store.ts'
import { noteActionAlone } from '../../src/workspaces/panel-state.store.ts'
import { uuidOf } from '../access.ts'
import { createCaller } from '../caller.ts'
import { startPanelsNode, takePanels } from '../start.ts'
import { addTab, editor, makeWorkspaceOf, verdict } from '../workspaces/current.ts'
import { BROWSER, letIn, makeLink, membersOf } from './sharing.ts'

const AT = { owner: 'ada', repo: 'board' }

async function startBoard() {
  const node = await takePanels()
  const ada = node.as('ada', BROWSER)
  const at = await makeWorkspaceOf(ada, 'ada')
  return { ...node, node, ada, bob: node.as('bob', BROWSER), carl: node.as('carl', BROWSER), at }
}

test('[D-350] who may write because of the owner lets people in, and nobody else does', async () => {
  await using board = await startBoard()
  const { node, ada, bob, carl, at } = board
  const key = node.as('ada')
  expect(await letIn(key, at, 'bob', 'viewer')).toBe('403 not_permitted')
  expect(await letIn(carl, at, 'carl', 'editor')).toBe('403 not_permitted')
  expect(await letIn(ada, at, 'nobody', 'viewer')).toBe('404 not_found')
  expect(await letIn(ada, at, 'ada', 'viewer')).toBe('400 invalid_request')
  expect(await letIn(ada, at, 'bob', 'viewer')).toBe('204')
  expect(await letIn(ada, at, 'bob', 'editor')).toBe('204')
  for (const [who, path] of [
    [bob, 'members/carl'],
    [key, 'members/bob'],
    [carl, 'members/bob'],
  ] as const)
    expect(await verdict(who.send('DELETE', `${at}/${path}`))).toBe('403 not_permitted')
  expect(await letIn(bob, at, 'carl', 'viewer')).toBe('403 not_permitted')
  expect(await letIn(bob, at, 'bob', 'editor')).toBe('403 not_permitted')
  expect(await verdict(bob.send('POST', `${at}/invitations`, { role: 'viewer' }))).toBe('403 not_permitted')
  expect(await verdict(bob.ask(`${at}/invitations`))).toBe('403 not_permitted')
  expect(await letIn(ada, editor('ada', 'nowhere'), 'bob', 'viewer')).toBe('404 workspace_not_found')
  const tool = node.as('ada', { kind: 'application', label: 'tool' })
  expect(await verdict(tool.send('DELETE', `${at}/members/bob`))).toBe('204')
  expect(await verdict(ada.send('DELETE', `${at}/members/bob`))).toBe('404 not_found')
  node.access.grant('carl', 'ada', 'write')
  expect(await letIn(carl, at, 'bob', 'viewer')).toBe('204')
})

test('[D-351] a viewer reads, an editor changes what is in it, and neither more; a key does what its scopes say besides', async () => {
  await using board = await startBoard()
  const { node, ada, bob, carl, at } = board
  const elsewhere = await makeWorkspaceOf(ada, 'ada', 'elsewhere')
  await letIn(ada, at, 'bob', 'viewer')
  await letIn(ada, at, 'carl', 'editor')
  const adding = (who: typeof bob, where = at) =>
    verdict(who.send('POST', `${where}/current/tabs`, { panelType: 'webview' }))
  expect(await verdict(bob.ask(`${at}/current`))).toBe('200')
  expect(await adding(bob)).toBe('403 not_permitted')
  expect(await adding(carl)).toBe('201')
  expect(await verdict(carl.send('PUT', at))).toBe('200')
  for (const who of [bob, carl]) {
    expect(await verdict(who.send('DELETE', at))).toBe('403 not_permitted')
    expect(await verdict(who.ask(`${elsewhere}/current`))).toBe('403 not_permitted')
    expect(await adding(who, elsewhere)).toBe('403 not_permitted')
    expect(await verdict(who.send('PUT', editor('ada', 'new')))).toBe('403 not_permitted')
    expect(await verdict(who.ask('/api/workspaces/editor/ada'))).toBe('403 not_permitted')
    expect(await verdict(who.ask('/api/panels/catalog?owner=ada'))).toBe('200')
  }
  const key = (handle: string, scope: string) => node.as(handle, { label: scope, scopes: [scope] })
  expect(await verdict(key('bob', 'workspace:ada/board').ask(`${at}/current`))).toBe('200')
  expect(await adding(key('bob', 'workspace:ada/board'))).toBe('403 not_permitted')
  expect(await adding(key('carl', 'workspace:ada/board'))).toBe('201')
  expect(await adding(key('carl', 'webview:ada/board'))).toBe('403 not_permitted')
  expect(await verdict(key('carl', 'panels:carl/*').ask('/api/panels/catalog?owner=ada'))).toBe(
    '403 not_permitted',
  )
  expect(await verdict(node.as('eve', BROWSER).ask('/api/panels/catalog?owner=ada'))).toBe(
    '403 not_permitted',
  )
})

test('[D-352] whoever may see the workspace sees who was let in, and whether they may change that', async () => {
  await using board = await startBoard()
  const { node, ada, bob, carl, at } = board
  await letIn(ada, at, 'carl', 'editor')
  await letIn(ada, at, 'bob', 'viewer')
  const joinedAt = expect.stringMatching(/Z$/)
  const items = [
    { handle: 'bob', role: 'viewer', invitedBy: 'ada', joinedAt },
    { handle: 'carl', role: 'editor', invitedBy: 'ada', joinedAt },
  ]
  expect(await membersOf(ada, at)).toEqual({ items, mayManage: true })
  for (const who of [bob, carl, node.as('ada')])
    expect(await membersOf(who, at)).toEqual({ items, mayManage: false })
  expect(await verdict(node.as('eve', BROWSER).ask(`${at}/members`))).toBe('403 not_permitted')
})

test('[D-353] who was let in leaves by themselves, and a stranger learns nothing', async () => {
  await using board = await startBoard()
  const { node, ada, bob, carl, at } = board
  await letIn(ada, at, 'bob', 'viewer')
  expect(await verdict(node.as('bob').send('DELETE', `${at}/members/bob`))).toBe('403 not_permitted')
  expect(await verdict(bob.send('DELETE', `${at}/members/bob`))).toBe('204')
  expect(await verdict(bob.ask(`${at}/current`))).toBe('403 not_permitted')
  for (const where of [at, editor('ada', 'nowhere')])
    expect(await verdict(carl.send('DELETE', `${where}/members/carl`))).toBe('403 not_permitted')
})

deepTest(
  '[D-357] a workspace is shared with 100 people and has 20 links, also when they are made at once',
  async () => {
    await using board = await startBoard()
    const { node, ada, at } = board
    await using other = await startPanelsNode({ ...node, node: 'test-2' })
    const elsewhere = createCaller(other.url, 'ada', BROWSER)
    const people = Array.from({ length: SHARING_LIMITS.members + 2 }, (_, index) => `p${index}`)
    const letInAll = people.map((handle, index) =>
      letIn(index % 2 === 0 ? ada : elsewhere, at, handle, 'viewer'),
    )
    const answers = (await Promise.all(letInAll)).toSorted()
    expect(answers.slice(-2)).toEqual(['409 limit_reached', '409 limit_reached'])
    expect(new Set(answers.slice(0, -2))).toEqual(new Set(['204']))
    const links = Array.from({ length: SHARING_LIMITS.invitations + 1 }, (_, index) =>
      verdict((index % 2 === 0 ? ada : elsewhere).send('POST', `${at}/invitations`, { role: 'viewer' })),
    )
    expect((await Promise.all(links)).toSorted().at(-1)).toBe('409 limit_reached')
    const full = await membersOf(ada, at)
    expect(full.items).toHaveLength(SHARING_LIMITS.members)
    // A change of role takes no place.
    expect(await letIn(ada, at, full.items[0]?.handle ?? '', 'editor')).toBe('204')
  },
)

test('[D-358] with somebody go the code of theirs that waits and their tickets, and nothing of others', async () => {
  await using board = await startBoard()
  const { node, ada, at } = board
  const { tabId } = await addTab(ada, at, { panelType: 'sandbox' })
  for (const handle of ['bob', 'carl']) {
    await letIn(ada, at, handle, 'editor')
    const key = node.as(handle)
    await addTab(key, at)
    await node.db
      .insertInto('sandbox_evals')
      .values({
        id: uuidOf(`eval ${handle}`),
        ...AT,
        tab_id: tabId,
        credential_id: uuidOf(`${handle} api_key agent`),
        code: '1',
        timeout_ms: 1_000,
        status: 'queued',
        created_at: new Date(),
        expires_at: new Date(Date.now() + 60_000),
      })
      .execute()
    await node.db
      .insertInto('proxy_tickets')
      .values({
        token_hash: Buffer.from(uuidOf(handle).replaceAll('-', '')),
        ...AT,
        tab_id: tabId,
        person_id: uuidOf(handle),
        session_id: uuidOf('session'),
        network: 'n',
        expires_at: new Date(Date.now() + 60_000),
      })
      .execute()
  }
  expect(await letIn(ada, at, 'bob', 'viewer')).toBe('204')
  const evals = await node.db.selectFrom('sandbox_evals').select('id').execute()
  const tickets = await node.db.selectFrom('proxy_tickets').select('person_id').execute()
  expect(evals).toEqual([{ id: uuidOf('eval carl') }])
  expect(tickets).toEqual([{ person_id: uuidOf('carl') }])
})

test('[D-358] nothing that somebody had under way takes effect once their access has ended', async () => {
  await using board = await startBoard()
  const { node, ada, at } = board
  const { tabId } = await addTab(ada, at)
  await letIn(ada, at, 'bob', 'editor')
  const admission = { areas: ['workspace'], access: 'write' } as const
  const { caller } = await admit(
    node.deps,
    { headers: { ...node.as('bob', BROWSER).headers } },
    AT,
    admission,
  )
  const act = () => noteActionAlone(node.db, AT, { caller, tabId, action: 'webview refresh' }, new Date())
  await act()
  await setMember(
    node.db,
    AT,
    { personId: uuidOf('bob'), handle: 'bob', role: 'viewer' },
    { personId: uuidOf('ada'), handle: 'ada', credential: caller.credential },
    new Date(),
  )
  await expect(act()).rejects.toMatchObject({ code: 'access_ended' })
  expect(await verdict(ada.send('DELETE', `${at}/members/bob`))).toBe('204')
  await expect(act()).rejects.toMatchObject({ code: 'access_ended' })
})

test('[D-359] who was let in, left or had to go, and links, are noted once each', async () => {
  await using board = await startBoard()
  const { node, ada, bob, carl, at } = board
  await letIn(ada, at, 'bob', 'viewer')
  await letIn(ada, at, 'bob', 'viewer')
  await letIn(ada, at, 'bob', 'editor')
  await bob.send('DELETE', `${at}/members/bob`)
  const { secret, invitation } = await makeLink(ada, at, { role: 'editor', uses: 2 })
  await carl.send('POST', '/api/workspaces/invitations/accept', { invitation: secret })
  await ada.send('DELETE', `${at}/invitations/${invitation.id}`)
  await ada.send('DELETE', `${at}/members/carl`)
  const noted = await listActions(node.db, AT, { after: 0, limit: 20 })
  expect(noted.map(({ by, action }) => `${by.handle}: ${action}`)).toEqual([
    'ada: member add bob viewer',
    'ada: member change bob editor',
    'bob: member leave',
    'ada: member link editor',
    'carl: member join editor',
    'ada: member unlink',
    'ada: member remove carl',
  ])
})

test('[D-361] what others have shared with somebody is a list of their own, the last changed first', async () => {
  await using board = await startBoard()
  const { node, ada, bob } = board
  for (const repo of ['one', 'two', 'three']) {
    const at = await makeWorkspaceOf(ada, 'ada', repo)
    await letIn(ada, at, 'bob', repo === 'two' ? 'editor' : 'viewer')
  }
  await addTab(ada, editor('ada', 'two'))
  interface Page {
    items: { owner: string; repo: string; role: string; invitedBy: string }[]
    nextCursor: string | null
  }
  const read = async (query: string) =>
    (await (await bob.ask(`/api/workspaces/shared${query}`)).json()) as Page
  const first = await read('?limit=2')
  const second = await read(`?limit=2&cursor=${first.nextCursor}`)
  expect(first.items[0]).toMatchObject({ owner: 'ada', repo: 'two', role: 'editor', invitedBy: 'ada' })
  expect([...first.items, ...second.items].map(({ repo }) => repo)).toEqual(['two', 'three', 'one'])
  expect(second.nextCursor).toBeNull()
  await ada.send('DELETE', editor('ada', 'two'))
  expect((await read('')).items.map(({ repo }) => repo)).toEqual(['three', 'one'])
  expect(await verdict(node.as('bob').ask('/api/workspaces/shared'))).toBe('403 not_permitted')
  expect(await verdict(node.ask('/api/workspaces/shared'))).toBe('401 sign_in_required')
  expect(await verdict(bob.ask('/api/workspaces/shared?cursor=x'))).toBe('400 invalid_request')
})
