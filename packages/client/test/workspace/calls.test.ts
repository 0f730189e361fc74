import { expect, test } from 'vitest'
import { connectWorkspace, connectWorkspaces, type Workspace } from '../../src/workspace/index.ts'
import { startScriptedServer, type Turn } from './scripted-server.ts'

const TAB = '11111111-1111-4111-8111-111111111111'
const PANEL = '22222222-2222-4222-8222-222222222222'
const EVAL = '33333333-3333-4333-8333-333333333333'
const ROOT = '/api/workspaces/editor/ada/board'
const AT = { panelId: PANEL, tabId: TAB }
const VERSION: Turn = { body: { version: 7 } }
const DONE: Turn = { status: 204 }

const open = (url: string) => connectWorkspace({ baseUrl: url, apiKey: 'key_1', owner: 'ada', repo: 'board' })

const CALLS: readonly (readonly [
  what: string,
  (workspace: Workspace) => Promise<unknown>,
  Turn,
  method: string,
  path: string,
  body?: object,
])[] = [
  ['make', (w) => w.make(), { status: 201, body: {} }, 'PUT', ROOT],
  ['remove', (w) => w.remove(), DONE, 'DELETE', ROOT],
  ['current', (w) => w.current(), { body: {} }, 'GET', `${ROOT}/current`],
  [
    'addTab',
    (w) =>
      w.addTab('webview', { tabId: TAB, title: 'Docs', icon: 'book', initialState: { url: 'https://a' } }),
    { status: 201, body: AT },
    'POST',
    `${ROOT}/current/tabs`,
    {
      panelType: 'webview',
      tabId: TAB,
      displayName: 'Docs',
      displayIcon: 'book',
      initialState: { url: 'https://a' },
    },
  ],
  [
    'split',
    (w) => w.split('right', 'sandbox', { tabId: TAB, panelId: PANEL, activate: false, reason: 'to test' }),
    { status: 201, body: AT },
    'POST',
    `${ROOT}/current/splits`,
    {
      panelType: 'sandbox',
      tabId: TAB,
      panelId: PANEL,
      activate: false,
      reason: 'to test',
      direction: 'right',
    },
  ],
  [
    'activateTab',
    (w) => w.activateTab(TAB),
    VERSION,
    'PATCH',
    `${ROOT}/current/tabs/${TAB}`,
    { isActive: true },
  ],
  [
    'renameTab',
    (w) => w.renameTab(TAB, 'Notes', { icon: 'pen' }),
    VERSION,
    'PATCH',
    `${ROOT}/current/tabs/${TAB}`,
    { displayName: 'Notes', displayIcon: 'pen' },
  ],
  [
    'moveTab',
    (w) => w.moveTab(TAB, { panelId: PANEL, index: 0 }, { reason: 'tidy' }),
    VERSION,
    'PATCH',
    `${ROOT}/current/tabs/${TAB}`,
    { moveTo: { panelId: PANEL, index: 0 }, reason: 'tidy' },
  ],
  ['closeTab', (w) => w.closeTab(TAB), DONE, 'DELETE', `${ROOT}/current/tabs/${TAB}`],
  [
    'resizeSplit',
    (w) => w.resizeSplit(PANEL, [1, 3]),
    VERSION,
    'PATCH',
    `${ROOT}/current/splits/${PANEL}`,
    { sizes: [1, 3] },
  ],
  [
    'replaceLayout',
    (w) => w.replaceLayout(6, { root: { type: 'leaf', id: PANEL, tabs: [], activeTabId: null } }),
    VERSION,
    'PUT',
    `${ROOT}/current`,
    { version: 6, layout: { root: { type: 'leaf', id: PANEL, tabs: [], activeTabId: null } } },
  ],
  [
    'webview.navigate',
    (w) => w.webview(AT).navigate('https://example.com', { reason: 'to read' }),
    DONE,
    'PATCH',
    '/api/panels/webview/ada/board',
    { ...AT, action: 'navigate', url: 'https://example.com', reason: 'to read' },
  ],
  [
    'webview.refresh',
    (w) => w.webview(PANEL).refresh(),
    DONE,
    'PATCH',
    '/api/panels/webview/ada/board',
    { panelId: PANEL, action: 'refresh' },
  ],
  [
    'webview.setHeaderHidden',
    (w) => w.webview(AT).setHeaderHidden(true),
    DONE,
    'PATCH',
    '/api/panels/webview/ada/board',
    { ...AT, action: 'setHeaderHidden', hidden: true },
  ],
  [
    'webview.setProxyEnabled',
    (w) => w.webview(AT).setProxyEnabled(false),
    DONE,
    'PATCH',
    '/api/panels/webview/ada/board',
    { ...AT, action: 'setProxyEnabled', enabled: false },
  ],
  [
    'sandbox.eval',
    (w) => w.sandbox(AT).eval('1+1', { timeoutMs: 900 }),
    { body: { status: 'executed', id: EVAL, result: 2 } },
    'PATCH',
    '/api/panels/sandbox/ada/board',
    { ...AT, action: 'eval', code: '1+1', timeoutMs: 900 },
  ],
  [
    'sandbox.reset',
    (w) => w.sandbox(AT).reset(),
    DONE,
    'PATCH',
    '/api/panels/sandbox/ada/board',
    { ...AT, action: 'reset' },
  ],
  [
    'sandbox.setHeaderHidden',
    (w) => w.sandbox(AT).setHeaderHidden(false),
    DONE,
    'PATCH',
    '/api/panels/sandbox/ada/board',
    { ...AT, action: 'setHeaderHidden', hidden: false },
  ],
  [
    'evaluation',
    (w) => w.evaluation(EVAL),
    { body: { status: 'executed', id: EVAL } },
    'GET',
    `/api/panels/sandbox/ada/board/evals/${EVAL}?waitMs=0`,
  ],
  [
    'screenshot',
    (w) => w.screenshot({ scope: 'panel', tabId: TAB, method: 'html2canvas', reason: 'to see' }),
    { body: { id: EVAL } },
    'PATCH',
    `${ROOT}/current/screenshot`,
    { scope: 'panel', tabId: TAB, method: 'html2canvas', reason: 'to see' },
  ],
]

test.for(CALLS)('[CL-101] %s is one call of the contract', async ([_what, act, turn, method, path, body]) => {
  await using server = await startScriptedServer(turn)
  await act(open(server.url))
  expect(server.asked).toHaveLength(1)
  const [asked] = server.asked
  expect({ method: asked?.method, path: asked?.path, body: asked?.body }).toEqual({ method, path, body })
  expect(asked?.headers['x-api-key']).toBe('key_1')
})

test('[CL-101] the workspaces of an owner are listed, made and removed, and panels of the catalog added and removed', async () => {
  await using server = await startScriptedServer(
    { body: { items: [{ repo: 'board' }], nextCursor: null } },
    { status: 200, body: { repo: 'board' } },
    DONE,
    { body: { items: [{ kind: 'webview' }], nextCursor: null } },
    { status: 201, body: { id: `acme/${PANEL}` } },
    DONE,
  )
  const all = connectWorkspaces({ baseUrl: server.url, sessionToken: 'tok_1' })
  const at = { owner: 'ada', repo: 'board' }
  expect(await all.list('ada')).toEqual([{ repo: 'board' }])
  expect(await all.make(at)).toEqual({ repo: 'board', isNew: false })
  await all.remove(at)
  expect(await all.panels({ owner: 'acme', category: 'Media' })).toEqual([{ kind: 'webview' }])
  const panel = {
    name: 'Oven',
    description: 'Its heat.',
    category: 'Control',
    url: 'https://a.example',
  } as const
  await all.addPanel('acme', panel)
  await all.removePanel(`acme/${PANEL}`)
  expect(server.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /api/workspaces/editor/ada',
    `PUT ${ROOT}`,
    `DELETE ${ROOT}`,
    'GET /api/panels/catalog?owner=acme&category=Media',
    'POST /api/panels/catalog/acme',
    `DELETE /api/panels/catalog/acme/${PANEL}`,
  ])
  expect(server.asked[4]?.body).toEqual(panel)
  expect(new Set(server.asked.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer tok_1']))
})

test('[CL-112] a list is read to its end, page by page', async () => {
  await using server = await startScriptedServer(
    { body: { items: [{ repo: 'a' }, { repo: 'b' }], nextCursor: 'next one' } },
    { body: { items: [{ repo: 'c' }], nextCursor: null } },
  )
  const found = await connectWorkspaces({ baseUrl: server.url, apiKey: 'key_1' }).list('ada')
  expect(found.map(({ repo }) => repo)).toEqual(['a', 'b', 'c'])
  expect(server.asked.map(({ path }) => path.split('?')[1])).toEqual([undefined, 'cursor=next+one'])
})

test('[CL-122] who may see a workspace is listed, let in and removed, links are made and ended, and one joins', async () => {
  const [member, invitation] = [{ handle: 'bob' }, { id: EVAL }]
  await using server = await startScriptedServer(
    { body: { items: [member], mayManage: true } },
    DONE,
    DONE,
    { body: { items: [invitation] } },
    { status: 201, body: { url: 'u', invitation } },
    DONE,
    { body: { owner: 'ada', repo: 'board', role: 'viewer' } },
    { body: { items: [{ repo: 'a' }], nextCursor: 'n' } },
    { body: { items: [{ repo: 'b' }], nextCursor: null } },
  )
  const all = connectWorkspaces({ baseUrl: server.url, sessionToken: 'tok_1' })
  const { members, invitations } = all.workspace({ owner: 'ada', repo: 'board' })
  expect(await members.list()).toEqual([member])
  await members.set('bob', 'editor')
  await members.remove('bob')
  expect(await invitations.list()).toEqual([invitation])
  expect(await invitations.create({ role: 'viewer', uses: 3 })).toEqual({ url: 'u', invitation })
  await invitations.revoke(EVAL)
  expect(await all.join('https://patchbay.example/join#secret')).toMatchObject({ role: 'viewer' })
  expect((await all.shared()).map(({ repo }) => repo)).toEqual(['a', 'b'])
  expect(server.asked.map(({ method, path, body }) => [`${method} ${path}`, body])).toEqual([
    [`GET ${ROOT}/members`, undefined],
    [`PUT ${ROOT}/members/bob`, { role: 'editor' }],
    [`DELETE ${ROOT}/members/bob`, undefined],
    [`GET ${ROOT}/invitations`, undefined],
    [`POST ${ROOT}/invitations`, { role: 'viewer', uses: 3 }],
    [`DELETE ${ROOT}/invitations/${EVAL}`, undefined],
    ['POST /api/workspaces/invitations/accept', { invitation: 'secret' }],
    ['GET /api/workspaces/shared', undefined],
    ['GET /api/workspaces/shared?cursor=n', undefined],
  ])
})

test('[CL-126] a new workspace begins with the template that was named', async () => {
  await using server = await startScriptedServer({ status: 201, body: {} })
  expect(await open(server.url).make({ template: 'robot' })).toMatchObject({ isNew: true })
  expect(server.asked[0]).toMatchObject({ method: 'PUT', path: ROOT, body: { template: 'robot' } })
})

test('[CL-127] the trash is listed, restored from and emptied', async () => {
  const id = '44444444-4444-4444-8444-444444444444'
  await using server = await startScriptedServer(
    { body: { items: [{ id }], nextCursor: 'next' } },
    { body: { items: [{ id: PANEL }], nextCursor: null } },
    { body: { owner: 'ada', repo: 'board' } },
    { body: { owner: 'ada', repo: 'other' } },
    { status: 204 },
  )
  const workspaces = connectWorkspaces({ baseUrl: server.url, apiKey: 'key_1' })
  expect(await workspaces.trash('ada')).toEqual([{ id }, { id: PANEL }])
  expect(await workspaces.restore('ada', id)).toEqual({ owner: 'ada', repo: 'board' })
  expect(await workspaces.restore('ada', id, 'other')).toEqual({ owner: 'ada', repo: 'other' })
  await workspaces.purge('ada', id)
  expect(server.asked.map(({ method, path, body }) => [method, path, body])).toEqual([
    ['GET', '/api/workspaces/trash/ada', undefined],
    ['GET', '/api/workspaces/trash/ada?cursor=next', undefined],
    ['POST', `/api/workspaces/trash/ada/${id}/restore`, {}],
    ['POST', `/api/workspaces/trash/ada/${id}/restore`, { repo: 'other' }],
    ['DELETE', `/api/workspaces/trash/ada/${id}`, undefined],
  ])
})
