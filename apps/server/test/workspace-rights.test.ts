import { BOARD_ENDPOINTS } from '@patchbay/contracts/boards'
import { CONTENT_ENDPOINTS } from '@patchbay/contracts/content'
import type { EndpointSpec } from '@patchbay/contracts/core'
import { DEVICE_ENDPOINTS } from '@patchbay/contracts/devices'
import { DEVICE_SCOPE_AREAS, FILE_SCOPE_AREAS, PANEL_SCOPE_AREAS } from '@patchbay/contracts/identity'
import { PANELS_ENDPOINTS } from '@patchbay/contracts/panels'
import type { IdentityTables } from '@patchbay/identity'
import { createDatabase } from '@patchbay/kernel/postgres'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { type Headers, PUBLIC_URL, type SignedIn, signIn } from './people.ts'
import { migratedDatabase, startTestServer } from './start.ts'

const ID = '5b3c0000-0000-4000-8000-000000000000'
const FOREIGN = { origin: 'https://evil.example' }

/** Who may call: a scope is enough, or only a person in their browser will do. */
interface Call {
  readonly by: 'person' | 'anybody' | 'session' | readonly string[]
  /** Not for those who were let into one workspace: it is about more, or about who may see it. */
  readonly isOwnersOnly?: true
  /** It reads, and yet is for those alone who may change something. */
  readonly isForWriters?: true
  readonly body?: unknown
  readonly query?: string
  /** It changes what is the caller's own, or nothing of the workspace, so whoever may look may do it. */
  readonly isOwn?: true
}

/** One call that has to be refused, with the code of its refusal. */
interface Asked {
  readonly who: string
  readonly headers: Headers
  readonly code: string
  readonly repo: string | undefined
}

const TIMES = '?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z'
const TARGET = { panelId: ID, reason: 'To see' }

/** Every call of the area, by the name in the contract. One that is missing here fails the test. */
const CALLS: Readonly<Record<string, Call>> = {
  listPanels: { by: 'anybody' },
  addPanel: {
    by: ['workspace'],
    isOwnersOnly: true,
    body: { name: 'A', description: 'B', category: 'Utility', url: 'https://a.example/' },
  },
  removePanel: { by: ['workspace'], isOwnersOnly: true },
  listWorkspaces: { by: PANEL_SCOPE_AREAS, isOwnersOnly: true },
  makeWorkspace: { by: ['workspace'] },
  removeWorkspace: { by: ['workspace'], isOwnersOnly: true },
  listTrash: { by: ['workspace'], isOwnersOnly: true },
  restoreWorkspace: { by: ['workspace'], isOwnersOnly: true },
  purgeWorkspace: { by: ['workspace'], isOwnersOnly: true },
  getWorkspace: { by: PANEL_SCOPE_AREAS },
  replaceLayout: { by: ['workspace'], body: { version: 0, layout: { root: {} } } },
  addTab: { by: ['workspace'], body: { panelType: 'webview' } },
  splitPanel: { by: ['workspace'], body: { panelType: 'webview', direction: 'left' } },
  changeTab: { by: ['workspace'], body: { displayName: 'A' } },
  removeTab: { by: ['workspace'] },
  listClosedTabs: { by: ['workspace'] },
  reopenTab: { by: ['workspace'] },
  resizeSplit: { by: ['workspace'], body: { sizes: [1, 2] } },
  listWorkspaceAccess: { by: 'person', isForWriters: true },
  endWorkspaceAccess: { by: 'person', body: { isEnded: true } },
  listWorkspaceMembers: { by: ['workspace'] },
  setWorkspaceMember: { by: [], isOwnersOnly: true, body: { role: 'viewer' } },
  removeWorkspaceMember: { by: [], isOwnersOnly: true },
  listWorkspaceInvitations: { by: [], isOwnersOnly: true },
  createWorkspaceInvitation: { by: [], isOwnersOnly: true, body: { role: 'viewer' } },
  revokeWorkspaceInvitation: { by: [], isOwnersOnly: true },
  checkWorkspaceInvitation: { by: 'anybody', body: { invitation: 'unknown' } },
  acceptWorkspaceInvitation: { by: 'session', body: { invitation: 'unknown' } },
  listSharedWorkspaces: { by: 'session' },
  controlWebview: { by: ['webview'], body: { ...TARGET, action: 'refresh' } },
  controlSandbox: { by: ['sandbox'], body: { ...TARGET, action: 'reset' } },
  getEvaluation: { by: ['sandbox'] },
  takeScreenshot: { by: ['screenshot'], body: { scope: 'workspace' } },
  uploadCapture: { by: 'person' },
  getScreenshot: { by: ['screenshot', 'workspace'] },
  openProxy: { by: 'person' },
  fetchModel: { by: ['workspace'], query: '?url=http://127.0.0.1/' },
  getCourseProgress: { by: 'person' },
  recordCourseProgress: { by: 'person', body: { folder: '', done: ['a.md'] }, isOwn: true },
  listFiles: { by: FILE_SCOPE_AREAS },
  readFile: { by: FILE_SCOPE_AREAS, query: '?path=a' },
  writeFile: { by: ['files:write'], query: '?path=a' },
  deleteFile: { by: ['files:write'], query: '?path=a' },
  changeFiles: { by: ['files:write'], body: { operations: [{ op: 'delete', path: 'a' }] } },
  openDocument: { by: FILE_SCOPE_AREAS, query: '?path=a' },
  editFile: { by: ['files:write'], body: { path: 'a', edits: [{ find: 'a', replace: 'b' }] } },
  uploadFileContent: { by: ['files:write'] },
  findMissingContent: { by: ['files:write'], body: { sha256: [] } },
  readContents: { by: FILE_SCOPE_AREAS, body: { sha256: ['0'.repeat(64)] } },
  searchFiles: { by: FILE_SCOPE_AREAS, query: '?text=a' },
  listFileChanges: { by: FILE_SCOPE_AREAS },
  listChangedPaths: { by: FILE_SCOPE_AREAS, query: '?after=0' },
  restoreFiles: { by: ['files:write'], body: { revision: 0 } },
  downloadFiles: { by: FILE_SCOPE_AREAS },
  startBoardJob: { by: FILE_SCOPE_AREAS, body: { operation: 'erc', path: 'a.kicad_sch' }, isOwn: true },
  listBoardJobs: { by: FILE_SCOPE_AREAS },
  readBoardJob: { by: FILE_SCOPE_AREAS },
  withdrawBoardJob: { by: FILE_SCOPE_AREAS, isOwn: true },
  readBoardResult: { by: FILE_SCOPE_AREAS },
  getBoardEngine: { by: FILE_SCOPE_AREAS },
  changeSchematic: {
    by: ['files:write'],
    body: { path: 'a.kicad_sch', changes: [{ type: 'delete', ids: ['R1'] }] },
  },
  annotateSchematic: { by: ['files:write'], body: { path: 'a.kicad_sch' } },
  listBoardLibraries: { by: FILE_SCOPE_AREAS },
  addBoardLibrary: { by: ['files:write'], body: {} },
  removeBoardLibrary: { by: ['files:write'] },
  searchBoardSymbols: { by: FILE_SCOPE_AREAS, query: '?text=a' },
  readBoardLibrarySymbols: { by: FILE_SCOPE_AREAS },
  listDevices: { by: DEVICE_SCOPE_AREAS },
  addDevice: { by: ['workspace'], body: { name: 'motor-1' } },
  readDevice: { by: DEVICE_SCOPE_AREAS },
  removeDevice: { by: ['workspace'] },
  replaceDeviceKey: { by: ['workspace'] },
  grantDevice: { by: ['workspace'] },
  revokeDevice: { by: ['workspace'] },
  watchDevice: { by: DEVICE_SCOPE_AREAS },
  commandDevice: { by: ['devices:command'], body: { channel: 'speed', value: 1 } },
  armDevice: { by: 'person', body: { seconds: 1 } },
  disarmDevice: { by: ['devices:command'] },
  stopDevices: { by: ['devices:command'] },
  releaseDevices: { by: 'person' },
  readDeviceHistory: { by: DEVICE_SCOPE_AREAS, query: TIMES },
  readRecordedValues: { by: DEVICE_SCOPE_AREAS, query: TIMES },
  readRecorder: { by: DEVICE_SCOPE_AREAS },
  startRecording: { by: ['workspace'] },
  stopRecording: { by: ['workspace'] },
  listRecordings: { by: DEVICE_SCOPE_AREAS },
  exportRecording: { by: DEVICE_SCOPE_AREAS, query: TIMES },
  listMarkers: { by: DEVICE_SCOPE_AREAS },
  addMarker: { by: ['devices:command'], body: { label: 'A' } },
  removeMarker: { by: ['devices:command'] },
}

const ENDPOINTS = [...PANELS_ENDPOINTS, ...CONTENT_ENDPOINTS, ...DEVICE_ENDPOINTS, ...BOARD_ENDPOINTS].filter(
  ({ path }) => /^\/api\/(?:panels|workspaces)\//.test(path),
)

async function startAcme() {
  const cleanup = new AsyncDisposableStack()
  const migrated = cleanup.use(await migratedDatabase())
  const server = cleanup.use(
    await startTestServer({
      DATABASE_URL: migrated.url,
      PATCHBAY_PUBLIC_URL: PUBLIC_URL,
      PATCHBAY_TRUSTED_PROXIES: '127.0.0.1',
    }),
  )
  const { db } = cleanup.use(
    createDatabase<IdentityTables>({ url: migrated.url, poolSize: 2, applicationName: 'test' }),
  )
  const [ada, bob, carl, dora, emil] = [
    await signIn(db, server, 'ada'),
    await signIn(db, server, 'bob'),
    await signIn(db, server, 'carl'),
    await signIn(db, server, 'dora'),
    await signIn(db, server, 'emil'),
  ]
  const send = async ({ page }: SignedIn, method: string, path: string, body: object = {}) => {
    const headers = { ...page, 'content-type': 'application/json' }
    const answer = await server.ask(path, { method, headers, body: JSON.stringify(body) })
    expect([path, answer.status]).toEqual([path, expect.toBeOneOf([200, 201, 204])])
    return answer.status === 204 ? {} : ((await answer.json()) as { key?: string })
  }
  await send(ada, 'POST', '/auth/organizations', { handle: 'acme', display_name: 'Acme' })
  await send(ada, 'PUT', '/auth/organizations/acme/members/bob', { role: 'member' })
  const keyOf = async (scope: string, who = ada): Promise<Headers> => {
    const { key = '' } = await send(who, 'POST', '/auth/keys', { name: 'k', scopes: [scope] })
    return { 'x-api-key': key }
  }
  const letIn = async (handle: string, role: string) => {
    const members = '/api/workspaces/editor/acme/board/members'
    await send(ada, 'PUT', `${members}/${handle}`, { role })
  }
  let calls = 0
  const call = async (endpoint: EndpointSpec, headers: Headers, repo = 'board') => {
    const { body, query = '' } = CALLS[endpoint.name] ?? {}
    const path = endpoint.path
      .replace('{owner}', 'acme')
      .replace('{repo}', repo)
      .replace('/screenshots/{id}', `/screenshots/${ID}.png`)
      .replace('{sha256}', '0'.repeat(64))
      .replace('{device}', 'motor')
      .replace('{identifier}', 'com.example.lamps')
      .replace('/jobs/{id}', `/jobs/${'0'.repeat(64)}`)
      .replace('{name}', 'a.svg')
      .replace('{toOwner}/{toRepo}', `acme/${repo}`)
      .replaceAll(/\{[^}]+\}/g, ID)
    const type = endpoint.upload?.mediaType ?? 'application/json'
    const json = body === undefined ? undefined : JSON.stringify(body)
    const sent = endpoint.upload === undefined ? json : 'x'
    // Each from a client of its own: some calls are limited by address, and this asks more often than a person.
    calls += 1
    const from = { 'x-forwarded-for': `10.0.${calls >> 8}.${calls & 255}` }
    const answer = await server.ask(path + query, {
      method: endpoint.method,
      headers: {
        'if-match': '*',
        ...from,
        ...headers,
        ...(sent === undefined ? {} : { 'content-type': type }),
      },
      ...(sent === undefined ? {} : { body: sent }),
    })
    const text = await answer.text()
    return (text.startsWith('{') ? (JSON.parse(text) as { code?: string }).code : undefined) ?? answer.status
  }
  return {
    ada,
    bob,
    carl,
    dora,
    emil,
    keyOf,
    letIn,
    call,
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}

deepTest('[D-42] strangers read the catalog, and nothing else is open to them', async () => {
  await using acme = await startAcme()
  const open = ENDPOINTS.filter(({ name }) => CALLS[name]?.by === 'anybody')
  const answers = await Promise.all(open.map(async (each) => [each.name, await acme.call(each, {})]))
  // Whoever has the secret of an invitation may see what it is for.
  expect(answers).toEqual([
    ['listPanels', 200],
    ['checkWorkspaceInvitation', 'invitation_invalid'],
  ])
})

deepTest(
  '[D-42] a key for any part of a workspace reads the catalog of its owner, and no other does',
  async () => {
    await using acme = await startAcme()
    const list = ENDPOINTS.find(({ name }) => name === 'listPanels')
    if (list === undefined) throw new Error('there is no such endpoint')
    const ofAcme = { ...list, path: `${list.path}?owner=acme` as const }
    for (const area of ['panels', ...PANEL_SCOPE_AREAS])
      expect([area, await acme.call(ofAcme, await acme.keyOf(`${area}:acme/board`))]).toEqual([area, 200])
    for (const scope of ['panels:ada/board', 'packages:acme/*'])
      expect(await acme.call(ofAcme, await acme.keyOf(scope))).toBe('not_permitted')
  },
)

deepTest('[D-248] what is about oneself is for sessions, and no key opens it', async () => {
  await using acme = await startAcme()
  const key = await acme.keyOf('panels:acme/*')
  const own = ENDPOINTS.filter(({ name }) => CALLS[name]?.by === 'session')
  const answers = await Promise.all(
    own.map(async (each) => [each.name, await acme.call(each, {}), await acme.call(each, key)]),
  )
  expect(answers).toEqual([
    ['acceptWorkspaceInvitation', 'sign_in_required', 'not_permitted'],
    ['listSharedWorkspaces', 'sign_in_required', 'not_permitted'],
  ])
})

test('[D-248] every call on workspaces, panels and files asks who it is for, and each scope opens its own', {
  timeout: 300_000,
}, async () => {
  expect(ENDPOINTS.map(({ name }) => name).toSorted()).toEqual(Object.keys(CALLS).toSorted())
  await using acme = await startAcme()
  const { ada, bob, carl, dora, emil, keyOf, letIn, call } = acme
  const keys = await Promise.all(
    [...PANEL_SCOPE_AREAS, ...FILE_SCOPE_AREAS, ...DEVICE_SCOPE_AREAS, 'packages'].map(
      async (area) => [area, await keyOf(`${area}:acme/*`)] as const,
    ),
  )
  const foreign = await keyOf('panels:ada/*')
  const elsewhere = await keyOf('panels:acme/elsewhere')
  const make = ENDPOINTS.find(({ name }) => name === 'makeWorkspace')
  if (make !== undefined) await call(make, ada.page)
  await letIn('dora', 'viewer')
  await letIn('emil', 'editor')
  const keysOf = async (who: SignedIn) =>
    await Promise.all(
      [...PANEL_SCOPE_AREAS, ...FILE_SCOPE_AREAS].map(
        async (area) => [area, await keyOf(`${area}:acme/board`, who)] as const,
      ),
    )
  const [viewersKeys, editorsKeys] = [await keysOf(dora), await keysOf(emil)]
  for (const endpoint of ENDPOINTS) {
    const { name, method } = endpoint
    const { by = [], isOwn = false, isOwnersOnly = false, isForWriters = false } = CALLS[name] ?? {}
    if (by === 'anybody' || by === 'session') continue
    if (make !== undefined) await call(make, ada.page)
    await letIn('dora', 'viewer')
    await letIn('emil', 'editor')
    // Reading many contents asks for more than an address can hold.
    const isChange = method !== 'GET' && name !== 'readContents'
    const refusal = by === 'person' ? 'browser_session_required' : 'not_permitted'
    const asked: Asked[] = [{ who: 'nobody', headers: {}, code: 'sign_in_required', repo: undefined }]
    const compare = (
      who: string,
      headers: Headers,
      code: string,
      repos: readonly string[] = ['board', 'nowhere'],
    ) => asked.push(...repos.map((repo) => ({ who: `${who} ${repo}`, headers, code, repo })))
    compare('stranger', carl.page, 'not_permitted')
    compare('key of another owner', foreign, refusal)
    compare('key of another workspace', elsewhere, refusal)
    for (const [area, key] of keys)
      if (by === 'person' || !by.includes(area)) compare(`${area} key`, key, refusal)
    if (isChange) {
      if (!isOwn) compare('reader', bob.page, 'not_permitted')
      compare('no token', { ...ada.cookie, origin: PUBLIC_URL }, 'csrf_token_required')
      compare('no origin', ada.cookie, 'origin_not_allowed')
      compare('other page', { ...ada.page, ...FOREIGN }, 'origin_not_allowed')
    }
    const isForViewers = !isOwnersOnly && (isOwn || !isChange) && !isForWriters
    const invited: [string, SignedIn, readonly (readonly [string, Headers])[], boolean][] = [
      ['viewer', dora, viewersKeys, isForViewers],
      ['editor', emil, editorsKeys, !isOwnersOnly],
    ]
    const allowed = [ada.page, ...keys.flatMap(([area, key]) => (by.includes(area) ? [key] : []))]
    for (const [role, { page, application }, theirs, may] of invited) {
      const repos = may ? ['nowhere'] : ['board', 'nowhere']
      compare(role, page, 'not_permitted', repos)
      compare(`${role}'s tool`, application, refusal, repos)
      for (const [area, key] of theirs)
        compare(`${role}'s ${area} key`, key, refusal, may && by.includes(area) ? ['nowhere'] : undefined)
      if (may) allowed.push(page, ...theirs.flatMap(([area, key]) => (by.includes(area) ? [key] : [])))
    }
    // None of them changes anything, so all may come at once.
    const given = await Promise.all(
      asked.map(async ({ who, headers, repo }) => [who, await call(endpoint, headers, repo)]),
    )
    expect([name, given]).toEqual([name, asked.map(({ who, code }) => [who, code])])
    for (const headers of allowed)
      expect([name, await call(endpoint, headers)]).not.toEqual([
        name,
        expect.toBeOneOf([
          'sign_in_required',
          'browser_session_required',
          'csrf_token_required',
          'not_permitted',
        ]),
      ])
  }
})
