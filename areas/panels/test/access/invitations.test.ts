import { SettableClock } from '@patchbay/testkit/clock'
import { expect, test } from 'vitest'
import { endInvitationsOf } from '../../src/access/invitation.store.ts'
import { createCaller } from '../caller.ts'
import { startPanels, startPanelsNode, takePanels } from '../start.ts'
import { makeWorkspaceOf, verdict } from '../workspaces/current.ts'
import { BROWSER, JOIN, join, LOOK, makeLink, membersOf } from './sharing.ts'

const HOUR_MS = 3_600_000

test('[D-354] a link lets people in; its secret is in one answer alone, and it can be revoked', async () => {
  await using node = await takePanels()
  const [ada, bob] = [node.as('ada', BROWSER), node.as('bob', BROWSER)]
  const at = await makeWorkspaceOf(ada, 'ada')
  const { url, secret, invitation } = await makeLink(ada, at, { role: 'editor', uses: 2, expiresInHours: 1 })
  expect(url).toMatch(/^http:\/\/patchbay\.localhost\/join#[\w-]{43}$/)
  expect(Date.parse(invitation.expiresAt) - Date.parse(invitation.createdAt)).toBe(HOUR_MS)
  expect(invitation).toMatchObject({ role: 'editor', createdBy: 'ada', usesLeft: 2 })
  const list = async () => (await ada.ask(`${at}/invitations`)).text()
  expect(JSON.parse(await list())).toEqual({ items: [invitation] })
  expect(await join(bob, secret)).toBe('200')
  expect((await membersOf(ada, at)).items).toMatchObject([
    { handle: 'bob', role: 'editor', invitedBy: 'ada' },
  ])
  const rows = JSON.stringify(await node.db.selectFrom('workspace_invitations').selectAll().execute())
  for (const text of [await list(), rows, ...node.lines]) expect(text).not.toContain(secret)
  const revoke = () => verdict(ada.send('DELETE', `${at}/invitations/${invitation.id}`))
  expect([await revoke(), await revoke()]).toEqual(['204', '404 not_found'])
  expect(await join(node.as('carl', BROWSER), secret)).toBe('410 invitation_invalid')
  expect((await membersOf(ada, at)).items).toHaveLength(1)
  const [newer, older] = [await makeLink(ada, at), await makeLink(ada, at)].toReversed()
  expect(JSON.parse(await list())).toEqual({ items: [newer?.invitation, older?.invitation] })
})

test('[D-355] of many who use the last use at once, over two nodes, one gets in', async () => {
  await using node = await takePanels()
  await using other = await startPanelsNode({ ...node, node: 'test-2' })
  const ada = node.as('ada', BROWSER)
  const at = await makeWorkspaceOf(ada, 'ada')
  const { secret } = await makeLink(ada, at, { role: 'viewer', uses: 3 })
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      join(createCaller(index % 2 === 0 ? node.url : other.url, `p${index}`, BROWSER), secret),
    ),
  )
  expect(answers.filter((answer) => answer === '200')).toHaveLength(3)
  expect(new Set(answers)).toEqual(new Set(['200', '410 invitation_invalid']))
  expect((await membersOf(ada, at)).items).toHaveLength(3)
})

test('[D-355] who may do as much already takes no use, and a viewer becomes an editor', async () => {
  await using node = await takePanels()
  const [ada, bob] = [node.as('ada', BROWSER), node.as('bob', BROWSER)]
  const at = await makeWorkspaceOf(ada, 'ada')
  const viewers = await makeLink(ada, at, { role: 'viewer', uses: 2 })
  const editors = await makeLink(ada, at, { role: 'editor', uses: 2 })
  for (const who of [ada, bob, bob]) expect(await join(who, viewers.secret)).toBe('200')
  expect(await join(bob, editors.secret)).toBe('200')
  expect(await join(bob, viewers.secret)).toBe('200')
  expect((await membersOf(ada, at)).items).toMatchObject([{ handle: 'bob', role: 'editor' }])
  const { items } = (await (await ada.ask(`${at}/invitations`)).json()) as {
    items: { role: string; usesLeft: number }[]
  }
  expect(Object.fromEntries(items.map(({ role, usesLeft }) => [role, usesLeft]))).toEqual({
    viewer: 1,
    editor: 1,
  })
})

test('[D-356] anybody sees what a link is for, who signs in joins, and one that is over is over for all', async () => {
  const clock = new SettableClock()
  await using node = await startPanels({ clock })
  const [ada, bob] = [node.as('ada', BROWSER), node.as('bob', BROWSER)]
  const at = await makeWorkspaceOf(ada, 'ada')
  const { secret, invitation } = await makeLink(ada, at, { role: 'viewer', expiresInHours: 2 })
  const look = (text: string) =>
    node.ask(LOOK, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ invitation: text }),
    })
  const { expiresAt } = invitation
  expect(await (await look(secret)).json()).toEqual({
    owner: 'ada',
    repo: 'board',
    role: 'viewer',
    invitedBy: 'ada',
    expiresAt,
  })
  const bare = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const nobody = node.ask(JOIN, { ...bare, body: JSON.stringify({ invitation: secret }) })
  expect(await verdict(nobody)).toBe('401 sign_in_required')
  expect(await join(node.as('bob'), secret)).toBe('403 not_permitted')
  const gone = await makeWorkspaceOf(ada, 'ada', 'gone')
  const other = await makeLink(ada, gone)
  await ada.send('DELETE', gone)
  expect(await join(bob, secret)).toBe('200')
  const expiring = await makeLink(ada, at, { role: 'viewer', expiresInHours: 1 })
  clock.advance(HOUR_MS)
  for (const over of ['unknown', secret, other.secret, expiring.secret]) {
    expect(await verdict(look(over))).toBe('410 invitation_invalid')
    expect(await join(node.as('carl', BROWSER), over)).toBe('410 invitation_invalid')
  }
})

test('[D-357] expired links go, and those that work stay', async () => {
  const clock = new SettableClock()
  await using node = await startPanels({ clock })
  const ada = node.as('ada', BROWSER)
  const at = await makeWorkspaceOf(ada, 'ada')
  await makeLink(ada, at, { role: 'viewer', expiresInHours: 1 })
  const { invitation } = await makeLink(ada, at, { role: 'viewer', expiresInHours: 2 })
  clock.advance(HOUR_MS)
  await node.panels.housekeeping.sweep()
  const rows = await node.db.selectFrom('workspace_invitations').select('id').execute()
  expect(rows).toEqual([{ id: invitation.id }])
})

test('[D-362] all links of one person end, and neither those of others nor who has joined', async () => {
  await using node = await takePanels()
  node.access.grant('bob', 'ada', 'write')
  const [ada, bob, carl] = ['ada', 'bob', 'carl'].map((handle) => node.as(handle, BROWSER))
  if (ada === undefined || bob === undefined || carl === undefined) throw new Error('somebody is missing')
  const at = await makeWorkspaceOf(ada, 'ada')
  const [one, other] = [await makeLink(ada, at), await makeLink(bob, at, { role: 'viewer', uses: 2 })]
  expect(await join(carl, other.secret)).toBe('200')
  await endInvitationsOf(node.db, 'bob')
  expect(await join(node.as('dora', BROWSER), other.secret)).toBe('410 invitation_invalid')
  expect(await join(node.as('dora', BROWSER), one.secret)).toBe('200')
  expect((await membersOf(ada, at)).items.map(({ handle }) => handle)).toEqual(['carl', 'dora'])
})

test('[D-387] a link and whoever it let in wait in the trash with the workspace, and are back with it', async () => {
  await using node = await takePanels()
  const [ada, bob, carl] = ['ada', 'bob', 'carl'].map((handle) => node.as(handle, BROWSER))
  if (ada === undefined || bob === undefined || carl === undefined) throw new Error('nobody')
  const at = await makeWorkspaceOf(ada, 'ada')
  const { secret } = await makeLink(ada, at, { role: 'viewer', uses: 2 })
  expect(await join(bob, secret)).toBe('200')
  const shared = async () =>
    ((await (await bob.ask('/api/workspaces/shared')).json()) as { items: { repo: string }[] }).items
  expect(await shared()).toMatchObject([{ repo: 'board' }])
  await ada.send('DELETE', at)
  expect(await shared()).toEqual([])
  expect(await join(carl, secret)).toBe('410 invitation_invalid')
  expect(await verdict(bob.ask(`${at}/current`))).toBe('403 not_permitted')
  const { items } = (await (await ada.ask('/api/workspaces/trash/ada')).json()) as { items: { id: string }[] }
  expect(await verdict(ada.send('POST', `/api/workspaces/trash/ada/${items[0]?.id}/restore`, {}))).toBe('200')
  expect(await shared()).toMatchObject([{ repo: 'board' }])
  expect(await verdict(bob.ask(`${at}/current`))).toBe('200')
  expect(await join(carl, secret)).toBe('200')
})
