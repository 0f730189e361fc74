import type { Leaf } from '@patchbay/contracts/panels'
import { depth } from '@patchbay/testkit/depth'
import { checkLayout, leaves, tabs } from '@patchbay/workspace-layout'
import { expect, test } from 'vitest'
import { findBuiltInOfKind } from '../../src/catalog/built-in-panels.ts'
import { rulesFor } from '../../src/catalog/catalog.store.ts'
import { changeLayout } from '../../src/workspaces/layout-change.store.ts'
import { findWorkspace } from '../../src/workspaces/workspace.store.ts'
import { createCaller, type TestCaller } from '../caller.ts'
import { type PanelsNode, startPanelsNode, takePanels } from '../start.ts'
import { addTab, makeWorkspaceOf, readCurrent, splitWith, verdict } from './current.ts'

const PATIENCE_MS = 120_000
const AT = { owner: 'ada', repo: 'board' }
const uuid = (number: number) => `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`

async function twoNodes(): Promise<
  AsyncDisposable & { nodes: [PanelsNode, PanelsNode]; callers: TestCaller[] }
> {
  await using cleanup = new AsyncDisposableStack()
  const node = cleanup.use(await takePanels())
  const other = cleanup.use(await startPanelsNode({ ...node, node: 'test-2' }))
  const callers = [node.url, other.url].map((url) => createCaller(url, 'ada'))
  const owned = cleanup.move()
  return { nodes: [node, other], callers, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

interface Acknowledged {
  readonly kind: 'add' | 'rename' | 'move' | 'resize'
  readonly aim: string
  readonly value: string
  readonly version: number
}

const CHANGES = depth({ common: 250, deep: 1_000 })

test(`[D-66] of ${CHANGES} changes at once over two nodes none is lost`, {
  timeout: PATIENCE_MS,
}, async () => {
  await using both = await twoNodes()
  const [first = both.callers[0] as TestCaller] = both.callers
  const at = await makeWorkspaceOf(first, 'ada')
  const left = await addTab(first, at)
  const right = await splitWith(first, at)
  const movable: string[] = []
  for (let index = 0; index < 20; index += 1) movable.push((await addTab(first, at)).tabId)
  const { version: begun, layout } = await readCurrent(first, at)
  const splitId = layout.root.id
  // On a machine that is too slow for its deadlines, callers ask again; a change whose answer was lost is one more version.
  let repeated = 0

  const ask = async (index: number): Promise<Acknowledged> => {
    const caller = both.callers[index % 2] ?? first
    const number = Math.floor(index / 5)
    const tabId = movable[number % movable.length] ?? ''
    const answer = async (
      kind: Acknowledged['kind'],
      aim: string,
      value: string,
      send: () => Promise<Response>,
    ): Promise<Acknowledged> => {
      let response = await send()
      for (let again = 0; response.status === 503 && again < 20; again += 1) {
        repeated += 1
        await response.arrayBuffer()
        response = await send()
      }
      const body = (await response.json()) as { version: number; code?: string }
      expect([kind, response.status, body.code]).toEqual([kind, kind === 'add' ? 201 : 200, undefined])
      return { kind, aim, value, version: body.version }
    }
    const path = `${at}/current/tabs/${tabId}`
    if (index % 5 === 0) {
      const body = { panelType: 'system-log', tabId: uuid(index), activate: false }
      return await answer('add', uuid(index), '', () => caller.send('POST', `${at}/current/tabs`, body))
    }
    if (index % 5 === 1) {
      const panelId = number % 2 ? left.panelId : right.panelId
      return await answer('move', tabId, panelId, () => caller.send('PATCH', path, { moveTo: { panelId } }))
    }
    if (index % 5 === 2) {
      const sizes = [number + 1, 1_000]
      const body = { sizes, reason: `Number ${index}` }
      const send = () => caller.send('PATCH', `${at}/current/splits/${splitId}`, body)
      return await answer('resize', splitId, String((number + 1) / (number + 1_001)), send)
    }
    const displayName = `Title ${index}`
    return await answer('rename', tabId, displayName, () => caller.send('PATCH', path, { displayName }))
  }
  const answers = await Promise.all(Array.from({ length: CHANGES }, (_, index) => ask(index)))

  const { version, layout: end, tabs: shown } = await readCurrent(first, at)
  expect(checkLayout(end)).toEqual([])
  // A change has a version of its own; one that found its work done was told that of a change before it.
  const versions = new Set(answers.map((answer) => answer.version).filter((each) => each > begun))
  expect(version - begun - versions.size).toBeGreaterThanOrEqual(0)
  expect(version - begun - versions.size).toBeLessThanOrEqual(repeated)
  expect(Math.max(...versions)).toBeLessThanOrEqual(version)
  const renames = answers.filter(({ kind }) => kind === 'rename')
  const shared = renames.length - new Set(renames.map((answer) => answer.version)).size
  expect(shared).toBeLessThanOrEqual(repeated)
  expect(versions.size).toBeGreaterThan(0.6 * CHANGES)

  const latest = (kind: Acknowledged['kind'], aim: string) =>
    answers
      .filter((answer) => answer.kind === kind && answer.aim === aim)
      .toSorted((one, other) => one.version - other.version)
      .at(-1)?.value
  const added = answers.filter(({ kind }) => kind === 'add').map(({ aim }) => aim)
  expect(added).toHaveLength(CHANGES / 5)
  const present = new Set(shown.map(({ tabId }) => tabId))
  expect(added.filter((tabId) => !present.has(tabId))).toEqual([])
  expect(shown).toHaveLength(22 + CHANGES / 5)
  for (const tabId of movable) {
    const tab = shown.find((each) => each.tabId === tabId)
    expect([tab?.displayName, tab?.panelId]).toEqual([latest('rename', tabId), latest('move', tabId)])
  }
  const sizes = end.root.type === 'split' ? end.root.sizes : []
  expect(sizes[0]).toBeCloseTo(Number(latest('resize', splitId)), 3)
  const noted = await both.nodes[0].db
    .selectFrom('workspace_actors')
    .select(['actions'])
    .executeTakeFirstOrThrow()
  expect(noted.actions).toBe(version)
})

const singleton = findBuiltInOfKind('viewer-3d')?.id ?? ''

test('[D-67] of 100 tabs of a singleton at once over two nodes, one is there', {
  timeout: PATIENCE_MS,
}, async () => {
  await using both = await twoNodes()
  const [first = both.callers[0] as TestCaller] = both.callers
  const at = await makeWorkspaceOf(first, 'ada')
  await addTab(first, at)
  const { layout } = await readCurrent(first, at)
  const [leaf] = leaves(layout) as [Leaf]
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const caller = both.callers[index % 2] ?? first
      const { db } = both.nodes[index % 2] ?? both.nodes[0]
      const tab = { id: uuid(index), panel: singleton, title: 'Schematic' }
      if (index % 4 === 0)
        return await verdict(caller.send('POST', `${at}/current/tabs`, { panelType: 'viewer-3d' }))
      if (index % 4 === 1) {
        const body = { panelType: singleton, direction: 'left' }
        return await verdict(caller.send('POST', `${at}/current/splits`, body))
      }
      if (index % 4 === 2) {
        const root = { ...leaf, tabs: [...leaf.tabs, tab, { ...tab, id: uuid(index + 1_000) }] }
        return await verdict(caller.send('PUT', `${at}/current`, { version: 1, layout: { root } }))
      }
      const changes = [{ type: 'addTab', tab, at: { leafId: leaf.id } }] as const
      const rules = await rulesFor(db, layout, changes)
      const made = await changeLayout(db, AT, changes, { rules, now: new Date() })
      return made.outcome === 'changed'
        ? '201'
        : made.outcome === 'refused'
          ? `409 ${made.refusal.code}`
          : made.outcome
    }),
  )
  expect(outcomes.filter((outcome) => outcome === '201')).toHaveLength(1)
  const rest = outcomes.filter((outcome) => outcome !== '201')
  expect(rest.every((outcome) => ['409 singleton_exists', '409 layout_changed'].includes(outcome))).toBe(true)
  const workspace = await findWorkspace(both.nodes[0].db, AT)
  expect(workspace?.version).toBe(2)
  const held = workspace === undefined ? [] : tabs(workspace.layout)
  expect(held.filter(({ panel }) => panel === singleton)).toHaveLength(1)
})

test('[D-67] nor do imports of one singleton each, at once, make two', async () => {
  await using both = await twoNodes()
  const [first = both.callers[0] as TestCaller] = both.callers
  const at = await makeWorkspaceOf(first, 'ada')
  const { layout } = await readCurrent(first, at)
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const caller = both.callers[index % 2] ?? first
      const tab = { id: uuid(index), panel: singleton, title: 'Schematic' }
      const root = { ...layout.root, tabs: [tab], activeTabId: tab.id }
      return await verdict(caller.send('PUT', `${at}/current`, { version: 0, layout: { root } }))
    }),
  )
  expect(outcomes.toSorted()).toEqual(['200', ...Array.from({ length: 19 }, () => '409 layout_changed')])
  expect((await readCurrent(first, at)).tabs).toHaveLength(1)
})

test('[D-67] a singleton that an owner has added is one as well', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const page = {
    name: 'Scope',
    description: 'A scope.',
    category: 'Media',
    url: 'https://scope.example/',
    singleton: true,
  }
  const { id } = (await (await ada.send('POST', '/api/panels/catalog/ada', page)).json()) as { id: string }
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => verdict(ada.send('POST', `${at}/current/tabs`, { panelType: id }))),
  )
  expect(answers.toSorted()).toEqual(['201', ...Array.from({ length: 9 }, () => '409 singleton_exists')])
})

test('[D-69] while one workspace is changed all the time, others are served', {
  timeout: PATIENCE_MS,
}, async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const busy = await makeWorkspaceOf(ada, 'ada')
  const calm = await makeWorkspaceOf(ada, 'ada', 'calm')
  const { tabId } = await addTab(ada, busy)
  // Somebody holds the row: whoever changes this workspace waits.
  const { promise: held, resolve: letGo } = Promise.withResolvers<undefined>()
  const locking = Promise.withResolvers<undefined>()
  const holder = node.db.transaction().execute(async (tx) => {
    await tx.selectFrom('workspaces').select('version').where('repo', '=', 'board').forUpdate().execute()
    locking.resolve(undefined)
    await held
  })
  await locking.promise
  const waiting = Array.from({ length: 50 }, (_, index) =>
    verdict(ada.send('PATCH', `${busy}/current/tabs/${tabId}`, { displayName: `T${index}` })),
  )
  await Promise.all(Array.from({ length: 10 }, () => addTab(ada, calm)))
  letGo(undefined)
  await holder
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => '200'))
  expect((await readCurrent(ada, busy)).version).toBe(51)
})

test('[D-69] one change more than may wait is told to come back', async () => {
  await using node = await takePanels()
  const options = { rules: { isSingleton: () => false }, now: new Date() }
  const changes = Array.from({ length: 2_002 }, () => changeLayout(node.db, AT, [], options))
  await expect(changes.pop()).rejects.toMatchObject({
    code: 'rate_limited',
    headers: { 'retry-after': '1' },
  })
  expect(await Promise.all(changes)).toEqual(changes.map(() => ({ outcome: 'no_workspace' })))
})
