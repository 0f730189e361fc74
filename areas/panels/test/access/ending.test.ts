import { randomUUID } from 'node:crypto'
import type { WorkspaceActor } from '@patchbay/contracts/panels'
import { expect, test } from 'vitest'
import { listActions } from '../../src/access/action.store.ts'
import { noteActionAlone, patchPanelState } from '../../src/workspaces/panel-state.store.ts'
import { trashWorkspace } from '../../src/workspaces/trash.store.ts'
import { uuidOf } from '../access.ts'
import { createCaller, type TestCaller } from '../caller.ts'
import { startPanelsNode, takePanels } from '../start.ts'
import { addTab, editor, makeWorkspaceOf, readCurrent, verdict } from '../workspaces/current.ts'

const AT = { owner: 'ada', repo: 'board' }
const BROWSER = { kind: 'browser', label: 'chromium' } as const
const credentialOf = (label: string, kind = 'api_key') => uuidOf(`ada ${kind} ${label}`)

async function actors(person: TestCaller, at: string): Promise<WorkspaceActor[]> {
  const answer = await person.ask(`${at}/access`)
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { items: WorkspaceActor[] }).items
}

const end = (person: TestCaller, at: string, label: string, isEnded = true) =>
  verdict(person.send('PUT', `${at}/access/${credentialOf(label)}`, { isEnded }))

test('[D-79] a person sees who has acted from outside, the latest first', async () => {
  await using node = await takePanels()
  const person = node.as('ada', BROWSER)
  const at = await makeWorkspaceOf(person, 'ada')
  const { tabId } = await addTab(person, at)
  expect(await actors(person, at)).toEqual([])
  const agent = node.as('ada', { label: 'agent' })
  const tool = node.as('ada', { kind: 'application', label: 'tool' })
  await addTab(tool, at)
  await addTab(agent, at)
  await agent.send('PATCH', `${at}/current/tabs/${tabId}`, { displayName: 'New' })
  expect(await actors(person, at)).toEqual([
    {
      credentialId: credentialOf('agent'),
      kind: 'api_key',
      name: 'agent',
      handle: 'ada',
      lastAction: 'workspace rename tab',
      lastActionAt: expect.stringMatching(/Z$/),
      actions: 2,
      isEnded: false,
    },
    expect.objectContaining({ credentialId: credentialOf('tool', 'application'), name: 'tool', actions: 1 }),
  ])
  node.access.grant('carl', 'ada', 'read')
  const others: [string, string][] = [
    [await verdict(node.ask(`${at}/access`)), '401 sign_in_required'],
    [await verdict(agent.ask(`${at}/access`)), '403 browser_session_required'],
    [await verdict(tool.ask(`${at}/access`)), '403 browser_session_required'],
    [await verdict(node.as('carl', BROWSER).ask(`${at}/access`)), '403 not_permitted'],
    [await verdict(person.ask(`${editor('ada', 'nowhere')}/access`)), '404 workspace_not_found'],
    [await end(agent, at, 'tool'), '403 browser_session_required'],
    [await end(node.as('carl', BROWSER), at, 'agent'), '403 not_permitted'],
  ]
  for (const [given, expected] of others) expect(given).toBe(expected)
})

test('[D-80] an ended access is refused everywhere on that workspace, on every node, and nowhere else', async () => {
  await using node = await takePanels()
  await using other = await startPanelsNode({ ...node, node: 'test-2' })
  const person = node.as('ada', BROWSER)
  const at = await makeWorkspaceOf(person, 'ada')
  const elsewhere = await makeWorkspaceOf(person, 'ada', 'elsewhere')
  const agent = node.as('ada', { label: 'agent' })
  const { tabId } = await addTab(agent, at)
  expect(await end(person, at, 'agent')).toBe('204')
  expect(await end(person, at, 'agent')).toBe('204')
  const before = await readCurrent(person, at)
  for (const url of [node.url, other.url]) {
    const again = createCaller(url, 'ada', { label: 'agent' })
    const path = `${at}/current/tabs/${tabId}`
    const answers = [
      again.ask(`${at}/current`),
      again.send('PUT', at),
      again.send('DELETE', at),
      again.send('POST', `${at}/current/tabs`, { panelType: 'webview' }),
      again.send('POST', `${at}/current/splits`, { panelType: 'webview', direction: 'left' }),
      again.send('PATCH', path, { displayName: 'Mine' }),
      again.send('DELETE', path),
      again.send('PATCH', `${at}/current/splits/${tabId}`, { sizes: [1, 2] }),
      again.send('PUT', `${at}/current`, { version: before.version, layout: before.layout }),
    ]
    for (const answer of answers) expect(await verdict(answer)).toBe('403 access_ended')
    expect(await verdict(again.ask(`${elsewhere}/current`))).toBe('200')
    expect(await verdict(createCaller(url, 'ada', { label: 'second' }).ask(`${at}/current`))).toBe('200')
  }
  expect(await readCurrent(person, at)).toEqual(before)
  expect((await actors(person, at))[0]).toMatchObject({ isEnded: true, actions: 1 })
  expect(await end(other.as('ada', BROWSER), at, 'agent', false)).toBe('204')
  await addTab(agent, at)
  const noted = await listActions(node.db, AT, { after: 0, limit: 50 })
  expect(noted.map(({ action }) => action)).toEqual([
    'workspace add tab',
    'access end',
    'access give back',
    'workspace add tab',
  ])
})

test('[D-81] what was under way when an access is ended takes no effect after it', {
  timeout: 60_000,
}, async () => {
  await using node = await takePanels()
  await using other = await startPanelsNode({ ...node, node: 'test-2' })
  const person = node.as('ada', BROWSER)
  const at = await makeWorkspaceOf(person, 'ada')
  const agents = [node, other].map(({ url }) => createCaller(url, 'ada', { label: 'agent' }))
  const friend = other.as('ada', { label: 'friend' })
  const { tabId } = await addTab(friend, at)
  await addTab(agents[0] ?? friend, at)
  const answers: string[] = []
  const { promise: isUnderWay, resolve: begin } = Promise.withResolvers<undefined>()
  const send = async (caller: TestCaller, sender: number) => {
    for (let number = 0; number < 2_000; number += 1) {
      const body = { displayName: `T${sender}-${number}` }
      const answer = await verdict(caller.send('PATCH', `${at}/current/tabs/${tabId}`, body))
      answers.push(answer)
      if (answers.length > 50) begin(undefined)
      if (answer !== '200') return
    }
  }
  const senders = Promise.all(
    Array.from({ length: 20 }, (_, index) => send(agents[index % 2] ?? friend, index)),
  )
  await isUnderWay
  expect(await end(person, at, 'agent')).toBe('204')
  const ended = await readCurrent(person, at)
  await senders
  const made = answers.filter((answer) => answer === '200').length
  expect(answers.filter((answer) => answer !== '200')).toEqual(
    Array.from({ length: 20 }, () => '403 access_ended'),
  )
  expect(await readCurrent(person, at)).toEqual(ended)
  expect(ended.version).toBe(2 + made)
})

test('[D-81] an action that passed the door before the end is undone', async () => {
  await using node = await takePanels()
  const person = node.as('ada', BROWSER)
  const agent = node.as('ada', { label: 'agent' })
  const at = await makeWorkspaceOf(person, 'ada')
  const { tabId } = await addTab(agent, at, { initialState: { url: 'https://one.example/' } })
  const caller = await node.access.requirePrincipal({ headers: agent.headers })
  expect(await end(person, at, 'agent')).toBe('204')
  const before = await readCurrent(person, at)
  const action = { caller, tabId, action: 'webview navigate' }
  const patch = { tabId, patch: { url: 'https://two.example/' } }
  const late = [
    () => patchPanelState(node.db, AT, patch, new Date(), action),
    () => noteActionAlone(node.db, AT, action, new Date()),
    () => trashWorkspace(node.db, AT, { id: randomUUID(), caller: caller, now: new Date() }),
  ]
  for (const act of late) await expect(act()).rejects.toMatchObject({ code: 'access_ended' })
  expect(await readCurrent(person, at)).toEqual(before)
  expect((await listActions(node.db, AT, { after: 0, limit: 50 })).at(-1)?.action).toBe('access end')
})

test('[D-82] with its access goes what a credential has queued', async () => {
  await using node = await takePanels()
  const person = node.as('ada', BROWSER)
  const at = await makeWorkspaceOf(person, 'ada')
  const { tabId } = await addTab(node.as('ada', { label: 'agent' }), at, { panelType: 'sandbox' })
  await addTab(node.as('ada', { label: 'second' }), at)
  const soon = new Date(Date.now() + 60_000)
  const queue = (label: string, status: 'queued' | 'running') => ({
    ...AT,
    id: uuidOf(`${label} ${status}`),
    tab_id: tabId,
    credential_id: credentialOf(label),
    code: '1',
    timeout_ms: 100,
    status,
    created_at: soon,
    expires_at: soon,
  })
  await node.db
    .insertInto('sandbox_evals')
    .values([queue('agent', 'queued'), queue('agent', 'running'), queue('second', 'queued')])
    .execute()
  expect(await end(person, at, 'stranger')).toBe('404 not_found')
  expect(await end(person, at, 'agent', false)).toBe('204')
  const left = () => node.db.selectFrom('sandbox_evals').select('id').orderBy('seq').execute()
  expect(await left()).toHaveLength(3)
  expect(await end(person, at, 'agent')).toBe('204')
  expect(await left()).toEqual([{ id: uuidOf('agent running') }, { id: uuidOf('second queued') }])
  expect(await verdict(person.send('PUT', `${at}/access/none`, { isEnded: true }))).toBe(
    '400 invalid_request',
  )
})

test('[D-83] the latest 200 actions are kept, whatever else moves the revision', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const { tabId } = await addTab(ada, at)
  const caller = await node.access.requirePrincipal({ headers: ada.headers })
  for (let index = 0; index < 220; index += 1) {
    // A browser that reports its state between any two actions takes every other revision.
    await patchPanelState(node.db, AT, { tabId, patch: { isHeaderHidden: true } }, new Date())
    await noteActionAlone(node.db, AT, { caller, tabId, action: `act ${index}` }, new Date())
  }
  const kept = await listActions(node.db, AT, { after: 0, limit: 1_000 })
  expect(kept.length).toBeGreaterThanOrEqual(200)
  expect(kept.length).toBeLessThanOrEqual(201)
  expect(kept.map(({ action }) => action)).toEqual(
    Array.from({ length: kept.length }, (_, index) => `act ${220 - kept.length + index}`),
  )
  const latest = await listActions(node.db, AT, { after: 0, limit: 20 })
  expect(latest).toEqual(kept.slice(-20))
  expect(await listActions(node.db, AT, { after: kept.at(-2)?.id ?? 0, limit: 20 })).toEqual(kept.slice(-1))
})
