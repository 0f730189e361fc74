import type { CatalogPanel } from '@patchbay/contracts/panels'
import { expect, test } from 'vitest'
import { BUILT_IN_PANELS } from '../../src/catalog/built-in-panels.ts'
import { uuidOf } from '../access.ts'
import { createCaller, type TestCaller } from '../caller.ts'
import { type PanelsNode, startPanelsNode, takePanels } from '../start.ts'
import { addTab, makeWorkspaceOf, readCurrent, verdict } from '../workspaces/current.ts'

const CATALOG = '/api/panels/catalog'
const PAGE = {
  name: 'Scope',
  description: 'Shows an oscilloscope.',
  category: 'Media',
  url: 'https://scope.example/view',
}

async function list(
  node: PanelsNode,
  query = '',
  { headers }: Pick<TestCaller, 'headers'> = node.as('ada'),
): Promise<{ items: CatalogPanel[]; nextCursor: string | null }> {
  const answer = await node.ask(CATALOG + query, { headers })
  expect(answer.status).toBe(200)
  return (await answer.json()) as { items: CatalogPanel[]; nextCursor: string | null }
}

async function add(caller: TestCaller, owner: string, body: object = {}): Promise<CatalogPanel> {
  const answer = await caller.send('POST', `${CATALOG}/${owner}`, { ...PAGE, ...body })
  expect(answer.status).toBe(201)
  return (await answer.json()) as CatalogPanel
}

test('[D-42] a stranger reads all of ours, and one category of it', async () => {
  await using node = await takePanels()
  expect(await list(node, '', { headers: {} })).toEqual({ items: BUILT_IN_PANELS, nextCursor: null })
  const media = await list(node, '?category=Media')
  expect(media.items.map(({ kind }) => kind)).toEqual(['live-stream', 'webrtc-player', 'zoom-camera'])
  expect(await verdict(node.ask(`${CATALOG}?category=Games`))).toBe('400 invalid_request')
})

test('[D-42] S5: what an owner has added is for those who may see workspaces of that owner', async () => {
  await using node = await takePanels()
  await add(node.as('ada'), 'ada', { url: 'https://scope.corp.internal/view' })
  const ask = (caller?: TestCaller) => verdict((caller ?? node).ask(`${CATALOG}?owner=ada`))
  expect(await ask()).toBe('401 sign_in_required')
  expect(await ask(node.as('eve'))).toBe('403 not_permitted')
  expect(await ask(node.as('ada', { scopes: ['panels:bob/lamp'] }))).toBe('403 not_permitted')
  node.access.grant('bob', 'ada', 'read')
  for (const caller of [node.as('bob'), node.as('ada', { scopes: ['panels:ada/lamp'] })])
    expect((await list(node, '?owner=ada', caller)).items.at(-1)).toMatchObject({
      url: 'https://scope.corp.internal/view',
    })
})

test('[D-42] pages of any size hold each panel once, ours first, then those of the owner by name', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const names = ['🛠'.repeat(60), 'Beta', 'Alpha', 'Beta']
  for (const name of names) await add(ada, 'ada', { name })
  await add(node.as('bob'), 'bob')
  const whole = await list(node, '?owner=ada&limit=200')
  const theirs = whole.items.slice(BUILT_IN_PANELS.length)
  expect(whole.items.slice(0, BUILT_IN_PANELS.length)).toEqual(BUILT_IN_PANELS)
  expect(theirs.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  expect(theirs.findIndex(({ name }) => name === 'Alpha')).toBeLessThan(
    theirs.findIndex(({ name }) => name === 'Beta'),
  )
  for (const limit of [1, 2, 11, BUILT_IN_PANELS.length, BUILT_IN_PANELS.length + 1]) {
    const seen: CatalogPanel[] = []
    let cursor: string | null = null
    do {
      const page = await list(node, `?owner=ada&limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`)
      expect(page.items.length).toBeLessThanOrEqual(limit)
      seen.push(...page.items)
      cursor = page.nextCursor
    } while (cursor !== null && seen.length < 100)
    expect([limit, seen]).toEqual([limit, whole.items])
  }
})

test('[D-42] a cursor that no page gave is refused', async () => {
  await using node = await takePanels()
  for (const text of ['x', 'b-1', 'o123 name', `o${'a'.repeat(36)} x`, 'b99999'])
    expect(
      await verdict(
        node.as('ada').ask(`${CATALOG}?owner=ada&cursor=${Buffer.from(text).toString('base64url')}`),
      ),
    ).toBe('400 invalid_request')
})

test('[D-43] what an owner adds is a page of the web', async () => {
  await using node = await takePanels()
  const panel = await add(node.as('ada'), 'ada', { url: 'https://SCOPE.example/ä?x=1', singleton: true })
  expect(panel).toEqual({
    id: expect.stringMatching(/^ada\/[0-9a-f-]{36}$/),
    kind: 'web',
    name: 'Scope',
    description: 'Shows an oscilloscope.',
    category: 'Media',
    icon: 'app-window',
    singleton: true,
    availability: 'ready',
    url: 'https://scope.example/%C3%A4?x=1',
  })
  expect((await list(node, '?owner=ada')).items.at(-1)).toEqual(panel)
})

test('[D-43] addresses that are not https, hold a password or are none, and keys that nobody knows', async () => {
  await using node = await takePanels()
  const wrong = [
    { url: 'http://scope.example/' },
    { url: 'javascript:alert(1)' },
    { url: 'https://ada:secret@scope.example/' },
    { url: 'https://ada@scope.example/' },
    { url: 'https://' },
    { url: 'https://scope example/' },
    { url: `https://scope.example/${'ä'.repeat(1_900)}` },
    { name: 'Sco\u202epe' },
    { icon: 'No Icon' },
    { kind: 'webview' },
  ]
  for (const body of wrong)
    expect([
      body,
      await verdict(node.as('ada').send('POST', `${CATALOG}/ada`, { ...PAGE, ...body })),
    ]).toEqual([body, '400 invalid_request'])
})

test('[D-44] adding and removing need the right to all workspaces of the owner', async () => {
  await using node = await takePanels()
  const { id } = await add(node.as('ada'), 'ada')
  const [, uuid] = id.split('/')
  const callers: [TestCaller | undefined, string][] = [
    [undefined, '401 sign_in_required'],
    [node.as('bob'), '403 not_permitted'],
    [node.as('ada', { label: 'one', scopes: ['workspace:ada/board'] }), '403 not_permitted'],
    [node.as('ada', { label: 'web', scopes: ['webview:ada/*'] }), '403 not_permitted'],
  ]
  for (const [caller, expected] of callers) {
    const post = caller?.send('POST', `${CATALOG}/ada`, PAGE)
    const stranger = { 'content-type': 'application/json' }
    const asked =
      post ?? node.ask(`${CATALOG}/ada`, { method: 'POST', headers: stranger, body: JSON.stringify(PAGE) })
    expect(await verdict(asked)).toBe(expected)
    const path = `${CATALOG}/ada/${uuid}`
    expect(await verdict(caller?.send('DELETE', path) ?? node.ask(path, { method: 'DELETE' }))).toBe(expected)
  }
  const whole = node.as('ada', { label: 'all', scopes: ['workspace:ada/*'] })
  await add(whole, 'ada')
  expect(await verdict(whole.send('DELETE', `${CATALOG}/ada/${uuid}`))).toBe('204')
})

test('[D-45] of 20 panels added at once on two nodes where five more may be, five are', async () => {
  await using node = await takePanels()
  await using other = await startPanelsNode({ ...node, node: 'test-2' })
  const { category, ...words } = PAGE
  await node.db
    .insertInto('catalog_panels')
    .values(
      Array.from({ length: 195 }, (_, at) => ({
        ...words,
        owner: 'ada',
        panel_uuid: uuidOf(`panel ${at}`),
        category: 'Media' as const,
        icon: 'box',
        singleton: false,
        created_at: new Date(),
      })),
    )
    .execute()
  const urls = [node.url, other.url]
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      verdict(createCaller(urls[at % 2] ?? '', 'ada').send('POST', `${CATALOG}/ada`, PAGE)),
    ),
  )
  expect(answers.filter((answer) => answer === '201')).toHaveLength(5)
  expect(answers.filter((answer) => answer === '409 limit_reached')).toHaveLength(15)
  const whole = await list(node, `?owner=ada&limit=200&category=${category}`)
  const rest = await list(node, `?owner=ada&limit=200&category=${category}&cursor=${whole.nextCursor}`)
  expect(whole.items.length + rest.items.length).toBe(203)
  expect(await verdict(node.as('bob').send('POST', `${CATALOG}/bob`, PAGE))).toBe('201')
})

test('[D-46] a panel that was taken out stays where it is and goes nowhere else', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const { id } = await add(ada, 'ada')
  const { tabId } = await addTab(ada, at, { panelType: id })
  expect((await readCurrent(ada, at)).tabs).toMatchObject([{ kind: 'web', displayIcon: 'app-window' }])
  const path = `${CATALOG}/ada/${id.split('/')[1]}`
  expect(await verdict(ada.send('DELETE', path))).toBe('204')
  expect(await verdict(ada.send('DELETE', path))).toBe('404 panel_type_not_found')
  const current = await readCurrent(ada, at)
  expect(current.tabs).toMatchObject([{ tabId, panelType: id, kind: 'web', displayName: 'Scope' }])
  expect(await verdict(ada.send('POST', `${at}/current/tabs`, { panelType: id }))).toBe(
    '404 panel_type_not_found',
  )
  const { version, layout } = current
  expect(await verdict(ada.send('PUT', `${at}/current`, { version, layout }))).toBe('200')
  const copied = JSON.parse(JSON.stringify(layout).replaceAll(tabId, '11111111-1111-4111-8111-111111111111'))
  expect(await verdict(ada.send('PUT', `${at}/current`, { version: version + 1, layout: copied }))).toBe(
    '404 panel_type_not_found',
  )
})
