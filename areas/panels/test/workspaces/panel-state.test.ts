import { randomBytes } from 'node:crypto'
import { EDITOR_LANGUAGES } from '@patchbay/contracts/panels'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listPanelStates, patchPanelState, requireRoom } from '../../src/workspaces/panel-state.store.ts'
import { checkPanelState } from '../../src/workspaces/panel-state.ts'
import { startPanelsNode, takePanels } from '../start.ts'
import { addTab, makeWorkspaceOf, readCurrent, verdict } from './current.ts'

const AT = { owner: 'ada', repo: 'board' }

test('[W-721] a panel of devices is bound by its parts, to channels', () => {
  const bound = (bindings: object) => checkPanelState('servo-control', { bindings })
  expect(bound({ target: 'servo/target', position: 'arm-2/angle' })).toBeUndefined()
  expect(checkPanelState('servo-control', { bindings: null })).toBeUndefined()
  expect(bound({ elbow: 'servo/target' })).toMatch(/has no "elbow"/)
  expect(bound({ target: 'servo' })).toMatch(/must match pattern/)
  expect(bound({ target: ['servo/target'] })).toMatch(/must be string/)
  expect(checkPanelState('temperature-graph', { bindings: { temperatures: ['a/b', 'c/d'] } })).toBeUndefined()
  expect(checkPanelState('temperature-graph', { bindings: { temperatures: ['a/b', 'a/b'] } })).toMatch(
    /duplicate/,
  )
})

test('[D-63] keys and values must fit the kind of the panel', () => {
  expect(checkPanelState('webview', { url: 'https://example.com/', isHeaderHidden: null })).toBeUndefined()
  expect(checkPanelState('code-editor', { text: '', language: 'python' })).toBeUndefined()
  expect(checkPanelState('imu', {})).toBeUndefined()
  const refused = [
    ['webview', { url: 'file:///etc/passwd' }, /^url must match pattern/],
    ['webview', { isHeaderHidden: 'yes' }, /^isHeaderHidden must be boolean/],
    ['webview', { text: null }, /^A panel of the kind "webview" has no "text"/],
    ['webview', { refresh: null }, /^"refresh" is set by the server alone/],
    ['sandbox', { reset: 3 }, /^"reset" is set by the server alone/],
    ['sandbox', { lastRun: null }, /^"lastRun" is set by the server alone/],
    ['sandbox', { connect: ['http://example.com'] }, /^connect\/0 must match pattern/],
    ['code-editor', { language: 'cobol' }, new RegExp(`${EDITOR_LANGUAGES.join(', ')}\\.$`)],
    ['code-editor', { text: 'a\0b' }, /^"text" holds a character/],
    ['code-editor', { text: '\ud800' }, /^"text" holds a character/],
    ['code-editor', { text: '\u0001'.repeat(60_000) }, /longer than 300000 characters/],
    ['code-editor', { text: '日'.repeat(200_000) }, /larger than 384000 bytes/],
    ['imu', { url: 'https://example.com/' }, /^A panel of the kind "imu" has no "url"/],
    ['web', JSON.parse('{"__proto__":{}}'), /has no "__proto__"/],
    ['__proto__', { constructor: 1 }, /has no "constructor"/],
  ] as const
  for (const [kind, state, words] of refused)
    expect([kind, checkPanelState(kind, state)]).toEqual([kind, expect.stringMatching(words)])
})

test('[W-758] media are addresses of http and https, with what is told of them', () => {
  const url = 'https://cam.example/live.m3u8'
  expect(checkPanelState('live-stream', { url, kind: 'hls', fit: 'cover' })).toBeUndefined()
  expect(checkPanelState('live-stream', { url: null, kind: null })).toBeUndefined()
  expect(checkPanelState('webrtc-player', { url: 'http://192.168.1.20:8889/cam/whep' })).toBeUndefined()
  const region = { x: 0.1, y: 0.2, width: 0.3, height: 0.4 }
  expect(
    checkPanelState('zoom-camera', { wideUrl: url, nearUrl: url, device: 'ptz-1', region }),
  ).toBeUndefined()
  const refused = [
    ['live-stream', { url: 'rtsp://cam.example/' }, /^url must match pattern/],
    ['live-stream', { url: 'blob:https://cam.example/1' }, /^url must match pattern/],
    ['live-stream', { kind: 'whep' }, /^kind must be .*: auto, hls, mjpeg, video\.$/],
    ['webrtc-player', { url: 'javascript:alert(1)' }, /^url must match pattern/],
    ['webrtc-player', { kind: 'hls' }, /has no "kind"/],
    ['zoom-camera', { region: { x: 0, y: 0, width: 2, height: 1 } }, /^region\/width must be <= 1/],
    ['zoom-camera', { device: '../x' }, /^device must match pattern/],
  ] as const
  for (const [kind, state, words] of refused)
    expect([kind, checkPanelState(kind, state)]).toEqual([kind, expect.stringMatching(words)])
})

test('[D-430] what of a model is shown is set by whoever may, within limits', () => {
  const names = Array.from({ length: 101 }, (_, number) => `Part ${number}`)
  const fine = [
    { section: { axis: 'z', position: 0.25, isFlipped: true }, isolated: 'Bolt (2)', hidden: ['Lid'] },
    { section: { axis: 'x', position: 1 }, hidden: names.slice(0, 100) },
    { section: null, isolated: null, hidden: null },
  ]
  for (const state of fine) expect(checkPanelState('viewer-3d', state)).toBeUndefined()
  const refused = [
    [{ section: { axis: 'w', position: 0.5 } }, /^section\/axis must be .*: x, y, z\.$/],
    [{ section: { axis: 'x', position: 1.01 } }, /^section\/position must be <= 1/],
    [{ section: { axis: 'x' } }, /^section must have required property 'position'/],
    [{ section: { axis: 'x', position: 0, color: 1 } }, /has no "color"/],
    [{ hidden: names }, /^hidden must NOT have more than 100 items/],
    [{ hidden: ['Lid', 'Lid'] }, /^hidden must NOT have duplicate items/],
    [{ hidden: ['Lid\0'] }, /^"hidden" holds a character/],
    [{ isolated: '' }, /^isolated must NOT have fewer than 1/],
    [{ isolated: 'x'.repeat(101) }, /^isolated must NOT have more than 100/],
  ] as const
  for (const [state, words] of refused)
    expect(checkPanelState('viewer-3d', state)).toEqual(expect.stringMatching(words))
})

test('[D-71] a patch sets keys, removes keys, and stamps with its own revision', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const { tabId } = await addTab(ada, at)
  const patch = (keys: object, stamp?: string) => {
    const wanted = { tabId, patch: { ...keys }, ...(stamp === undefined ? {} : { stamp }) }
    return patchPanelState(node.db, AT, wanted, new Date())
  }
  expect(await patch({ url: 'https://one.example/', isHeaderHidden: true })).toEqual({
    tabId,
    revision: 2,
    state: { url: 'https://one.example/', isHeaderHidden: true },
  })
  expect((await patch({ isHeaderHidden: null }))?.state).toEqual({ url: 'https://one.example/' })
  expect((await patch({}, 'refresh'))?.state).toEqual({ url: 'https://one.example/', refresh: 4 })
  expect((await patch({}, 'refresh'))?.state).toEqual({ url: 'https://one.example/', refresh: 5 })
  const [leafId] = (await readCurrent(ada, at)).tabs.map(({ panelId }) => panelId)
  expect(await patchPanelState(node.db, AT, { tabId: leafId ?? '', patch: {} }, new Date())).toBeUndefined()
  expect((await listPanelStates(node.db, AT)).at(-1)).toMatchObject({ tabId, revision: 5 })
})

test('[D-71] of patches at once on two nodes none is lost, and no revision repeats', async () => {
  await using node = await takePanels()
  await using other = await startPanelsNode({ ...node, node: 'test-2' })
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const tabs = await Promise.all([0, 1, 2].map(() => addTab(ada, at, { panelType: 'code-editor' })))
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => {
      const { db } = index % 2 ? node : other
      const patch = index % 4 < 2 ? { text: `t${index}` } : { fileName: `f${index}` }
      return patchPanelState(db, AT, { tabId: tabs[index % 3]?.tabId ?? '', patch }, new Date())
    }),
  )
  const revisions = answers.map((answer) => answer?.revision ?? 0)
  expect(new Set(revisions).size).toBe(60)
  expect([Math.min(...revisions), Math.max(...revisions)]).toEqual([4, 63])
  const inOrder = answers.toSorted((one, two) => (one?.revision ?? 0) - (two?.revision ?? 0))
  for (const { tabId, state } of await listPanelStates(node.db, AT))
    expect(state).toEqual(inOrder.findLast((answer) => answer?.tabId === tabId)?.state)
  const keys = (await listPanelStates(node.db, AT)).map(({ state }) => Object.keys(state).toSorted())
  expect(keys).toEqual([0, 1, 2].map(() => ['fileName', 'text']))
})

test('[D-72] what a panel and what all of them hold has an end', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  const at = await makeWorkspaceOf(ada, 'ada')
  const { tabId } = await addTab(ada, at, { panelType: 'script-runner' })
  const patch = (id: string, keys: object) =>
    patchPanelState(node.db, AT, { tabId: id, patch: { ...keys } }, new Date())
  await patch(tabId, { code: 'x'.repeat(250_000) })
  // Two keys that no panel has together; each is within the limit of a patch.
  await expect(patch(tabId, { text: 'x'.repeat(250_000) })).rejects.toMatchObject({ code: 'limit_reached' })
  expect((await listPanelStates(node.db, AT))[0]?.state).toEqual({ code: 'x'.repeat(250_000) })
  const large = { code: 'y'.repeat(262_000) }
  const outcomes: string[] = []
  for (let index = 0; index < 33; index += 1) {
    const added = await addTab(ada, at, { panelType: 'script-runner' })
    outcomes.push(
      await patch(added.tabId, large).then(
        () => 'kept',
        (error: Error) => error.message,
      ),
    )
  }
  const full = { panelType: 'script-runner', initialState: large }
  expect(await verdict(ada.send('POST', `${at}/current/tabs`, full))).toBe('409 limit_reached')
  expect((await readCurrent(ada, at)).tabs).toHaveLength(34)
  expect(outcomes.indexOf('All panels of a workspace together hold at most 8388608 bytes.')).toBe(31)
  const sizes = (await listPanelStates(node.db, AT)).map(({ state }) => JSON.stringify(state).length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(8 * 1024 * 1024)
})

test('[D-332] O4: all workspaces of an owner together hold so much, and an old one loses nothing', async () => {
  await using node = await takePanels()
  const ada = node.as('ada')
  // Letters that do not compress: the limit is of what is stored.
  const code = randomBytes(30_000).toString('base64')
  for (const repo of ['old', 'new']) {
    const at = await makeWorkspaceOf(ada, 'ada', repo)
    await addTab(ada, at, { panelType: 'script-runner', initialState: { code } })
  }
  await sql`update workspaces set changed_at = now() - interval '10 years' where repo = 'old'`.execute(
    node.db,
  )
  const room = (ownerBytes: number, owner = 'ada') =>
    verdictOf(requireRoom(node.db, { owner, repo: 'new' }, ownerBytes))
  expect(await room(90_000)).toBe('kept')
  expect(await room(70_000)).toBe('limit_reached')
  expect(await room(70_000, 'bob')).toBe('kept')
  await node.panels.housekeeping.sweep()
  expect(await listPanelStates(node.db, { owner: 'ada', repo: 'old' })).toHaveLength(1)
})

async function verdictOf(work: Promise<void>): Promise<string> {
  return await work.then(
    () => 'kept',
    (error: { readonly code: string }) => error.code,
  )
}
