import { createHash } from 'node:crypto'
import type { Capture, CommandFailure } from '@patchbay/contracts/panels'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { listActions } from '../../src/access/action.store.ts'
import type { CommandOutcome } from '../../src/control.ts'
import { captureTargetOf, wantsPicture } from '../../src/screenshots/request.ts'
import { AT, type Calls, codeOf, makeTabs, splitOff, startCalls, takeCalls } from '../webview/calls.ts'
import { openBrowser } from '../webview/stand-in.ts'
import { PATH, picturePath, takesPictures } from './pictures.ts'

const NOWHERE = '00000000-0000-4000-8000-000000000000'

async function startSharing(kinds: readonly string[] = ['sandbox', 'webview']) {
  const calls = await takeCalls()
  const [first, second = first, ...others] = await makeTabs(calls.node, kinds)
  calls.control.browser = openBrowser({ isSharing: true })
  return { calls, first, second, others, [Symbol.asyncDispose]: () => calls[Symbol.asyncDispose]() }
}

const take = (calls: Calls, body: object, headers: Record<string, string> = {}) =>
  calls.as('ada').ask(PATH, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

test('[D-175] a panel is named by its leaf, by its tab or by both', async () => {
  await using site = await startSharing()
  const { calls, first, second } = site
  const beside = await splitOff(calls.node, second)
  const asked = takesPictures(calls)
  for (const [names, tab] of [
    [{ panelId: first.panelId }, first],
    [{ tabId: beside.tabId }, beside],
    [{ panelId: beside.panelId, tabId: beside.tabId }, beside],
  ] as const) {
    const answer = await take(calls, { scope: 'panel', ...names })
    expect(answer.status).toBe(200)
    expect((await answer.json()) as Capture).toMatchObject({ panelId: tab.panelId, tabId: tab.tabId })
    expect(asked.at(-1)?.tabId).toBe(tab.tabId)
  }
  for (const [names, refusal] of [
    [{}, [400, 'invalid_request']],
    [{ panelId: 'nothing' }, [404, 'panel_not_found']],
    [{ tabId: NOWHERE }, [404, 'panel_not_found']],
    [{ panelId: NOWHERE, tabId: first.tabId }, [404, 'panel_not_found']],
    [{ panelId: beside.panelId, tabId: first.tabId }, [409, 'panel_mismatch']],
  ] as const)
    expect(await codeOf(await take(calls, { scope: 'panel', ...names }))).toEqual(refusal)
  expect(asked).toHaveLength(3)
})

test('[D-175] a tab in the background can be captured, and an empty leaf cannot', async () => {
  await using site = await startSharing()
  const { calls, second } = site
  takesPictures(calls, { wasActivated: true })
  const answer = await take(calls, { scope: 'panel', tabId: second.tabId })
  expect((await answer.json()) as Capture).toMatchObject({ tabId: second.tabId, wasActivated: true })
  const layout = { root: { type: 'leaf', id: 'empty', tabs: [], activeTabId: null } } as const
  expect(() => captureTargetOf(layout, { scope: 'panel', panelId: 'empty' })).toThrow('The leaf has no tabs')
})

test('[D-176] other scopes name no panel, and html2canvas is for sandboxes', async () => {
  await using site = await startSharing()
  const { calls, first, second } = site
  const asked = takesPictures(calls, { engine: 'snapdom' })
  for (const scope of ['workspace', 'screen']) {
    for (const wrong of [{ panelId: first.panelId }, { tabId: first.tabId }, { method: 'html2canvas' }])
      expect(await codeOf(await take(calls, { scope, ...wrong }))).toEqual([400, 'invalid_request'])
    const answer = await take(calls, { scope })
    expect((await answer.json()) as Capture).toMatchObject({ scope, panelId: null, tabId: null })
  }
  const method = 'html2canvas'
  const ofWebview = await take(calls, { scope: 'panel', tabId: second.tabId, method })
  expect(await codeOf(ofWebview)).toEqual([409, 'panel_mismatch'])
  const ofSandbox = await take(calls, { scope: 'panel', tabId: first.tabId, method })
  expect((await ofSandbox.json()) as Capture).toMatchObject({ method, engine: 'snapdom' })
  expect(asked.map(({ scope }) => scope)).toEqual(['workspace', 'screen', 'panel'])
})

test('[D-177] without a browser that may act the workspace is not open', async () => {
  await using site = await startSharing()
  const { calls } = site
  for (const browser of [undefined, openBrowser({ mayAct: false })]) {
    calls.control.browser = browser
    expect(await codeOf(await take(calls, { scope: 'workspace' }))).toEqual([409, 'workspace_not_open'])
  }
  calls.control.browser = openBrowser()
  calls.control.answer = () => ({ outcome: 'no_browser' })
  expect(await codeOf(await take(calls, { scope: 'workspace' }))).toEqual([409, 'workspace_not_open'])
  expect(calls.control.notified).toHaveLength(1)
})

test('[D-178] the browser is told what, how, for whom and why, and the action is noted', async () => {
  await using site = await startSharing()
  const { calls, first } = site
  const asked = takesPictures(calls)
  const { tabId } = first
  const answer = await take(calls, { scope: 'panel', tabId, reason: 'To check it', timeoutMs: 7_000 })
  const { id } = (await answer.json()) as Capture
  const by = { kind: 'api_key', name: 'agent', handle: 'ada' }
  const method = 'element-capture'
  expect(asked).toEqual([
    { kind: 'screenshot', captureId: id, scope: 'panel', method, tabId, by, reason: 'To check it' },
  ])
  expect(calls.control.options).toEqual([{ deadlineMs: 7_000, canRepeat: true }])
  const [action] = await listActions(calls.node.db, AT, { after: 0, limit: 1 })
  expect(action).toMatchObject({ tabId, by, action: 'screenshot panel', reason: 'To check it' })
})

test('[D-180] the answer says how the picture was taken and where it is', async () => {
  await using site = await startSharing()
  const { calls, first } = site
  takesPictures(calls)
  const answer = await take(calls, { scope: 'panel', panelId: first.panelId })
  const taken = (await answer.json()) as Capture
  const stored = await calls.as('ada').ask(picturePath(taken.id))
  const png = Buffer.from(await stored.arrayBuffer())
  expect(taken).toEqual({
    id: expect.any(String),
    url: `http://patchbay.localhost${picturePath(taken.id)}`,
    scope: 'panel',
    method: 'element-capture',
    engine: 'restriction-target',
    width: 40,
    height: 30,
    scale: 2,
    ...first,
    wasActivated: false,
    capturedAt: expect.any(String),
    expiresAt: new Date(Date.parse(taken.capturedAt) + 86_400_000).toISOString(),
    bytes: png.length,
    sha256: createHash('sha256').update(png).digest('hex'),
  })
})

test('[D-180] with Accept: image/png the answer is the picture', async () => {
  await using site = await startSharing()
  const { calls } = site
  takesPictures(calls)
  const answer = await take(calls, { scope: 'workspace' }, { accept: 'image/png' })
  expect(answer.headers.get('content-type')).toBe('image/png')
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  const png = Buffer.from(await answer.arrayBuffer())
  const taken = JSON.parse(answer.headers.get('patchbay-capture') ?? '') as Capture
  expect(taken.sha256).toBe(createHash('sha256').update(png).digest('hex'))
  for (const [accept, isPicture] of [
    ['image/png, */*', true],
    ['application/json;q=0.5, image/png', true],
    ['image/png;q=0.2, application/json', false],
    ['application/json', false],
    ['image/*', false],
    ['*/*', false],
    ['image/png;q=0', false],
  ] as const)
    expect([accept, wantsPicture(accept)]).toEqual([accept, isPicture])
})

const failed = (code: CommandFailure): CommandOutcome => ({
  outcome: 'failed',
  code,
  message: 'the words of the page',
})

test('[D-181] without sharing the answer is 504 with words, and the next call succeeds', async () => {
  await using site = await startSharing()
  const { calls, first } = site
  for (const outcome of [failed('sharing_not_enabled'), { outcome: 'timeout' } as const]) {
    calls.control.browser = openBrowser({ isSharing: false })
    calls.control.answer = () => outcome
    const refused = await take(calls, { scope: 'workspace', reason: 'To see it' })
    expect(refused.headers.get('retry-after')).toBe('3')
    const body = (await refused.json()) as { code: string; detail: string }
    expect([refused.status, body.code]).toEqual([504, 'sharing_not_enabled'])
    expect(body.detail).toContain('monitor icon')
    calls.control.browser = openBrowser({ isSharing: true })
    takesPictures(calls)
    expect((await take(calls, { scope: 'workspace' })).status).toBe(200)
  }
  calls.control.browser = openBrowser({ isSharing: false })
  calls.control.answer = () => ({ outcome: 'timeout' })
  const snapshot = await take(calls, { scope: 'panel', tabId: first.tabId, method: 'html2canvas' })
  expect(await codeOf(snapshot)).toEqual([504, 'deadline_exceeded'])
})

test.for([
  ['workspace', 'Share this page'],
  ['screen', 'Share the whole screen'],
] as const)('[D-320] C5: who may not take a picture of the %s is told of "%s"', async ([scope, entry]) => {
  await using site = await startSharing()
  const { calls } = site
  calls.control.answer = () => failed('sharing_not_enabled')
  const { detail } = (await (await take(calls, { scope })).json()) as { detail: string }
  expect(detail).toContain(`"${entry}" under the monitor icon`)
})

test('[D-323] F9: a person who declined is told to the caller, with how long not to ask', async () => {
  await using site = await startSharing()
  const { calls } = site
  calls.control.answer = () => ({ ...failed('sharing_declined'), retryAfterSeconds: 300 })
  const refused = await take(calls, { scope: 'workspace' })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([504, '300'])
  expect(await refused.json()).toMatchObject({ code: 'sharing_declined', retry_after_seconds: 300 })
})

test('[D-182] what a browser that shares could not do has its own answer', async () => {
  await using site = await startSharing()
  const { calls, first } = site
  const outcomes: [CommandOutcome, number, string][] = [
    [{ outcome: 'timeout' }, 504, 'deadline_exceeded'],
    [{ outcome: 'lost' }, 502, 'capture_failed'],
    [failed('cannot_capture'), 502, 'capture_failed'],
    [failed('not_ready'), 502, 'capture_failed'],
    [failed('no_such_tab'), 404, 'panel_not_found'],
    [{ outcome: 'done', result: {} }, 502, 'capture_failed'],
  ]
  for (const [outcome, status, code] of outcomes) {
    calls.control.answer = () => outcome
    expect(await codeOf(await take(calls, { scope: 'panel', tabId: first.tabId }))).toEqual([status, code])
  }
})

test('[D-183] refusals: 400, 401, 403, 404 and 429', async () => {
  await using calls = await startCalls({ settings: { actionsPerMinute: 2 } })
  await makeTabs(calls.node, ['sandbox'])
  calls.control.browser = openBrowser({ isSharing: true })
  takesPictures(calls)
  const person = calls.as('ada', { kind: 'browser' })
  for (const wrong of [
    {},
    { scope: 'world' },
    { scope: 'screen', method: 'camera' },
    { scope: 'screen', timeoutMs: 999 },
    { scope: 'screen', timeoutMs: 60_001 },
    { scope: 'screen', more: 1 },
    { scope: 'panel', tabId: 'x' },
  ])
    expect(await codeOf(await person.send('PATCH', PATH, wrong))).toEqual([400, 'invalid_request'])
  const nobody = await fetch(calls.url + PATH, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: '{"scope":"screen"}',
  })
  expect(await codeOf(nobody)).toEqual([401, 'sign_in_required'])
  for (const scope of ['webview:ada/board', 'sandbox:ada/*', 'workspace:ada/board', 'screenshot:ada/other']) {
    const key = calls.as('ada', { label: scope, scopes: [scope] })
    expect(await codeOf(await key.send('PATCH', PATH, { scope: 'screen' }))).toEqual([403, 'not_permitted'])
  }
  const absent = PATH.replace('board', 'absent')
  expect(await codeOf(await person.send('PATCH', absent, { scope: 'screen' }))).toEqual([
    404,
    'workspace_not_found',
  ])
  const agent = calls.as('ada', { label: 'robot', scopes: ['screenshot:ada/board'] })
  for (let call = 0; call < 2; call += 1)
    expect((await agent.send('PATCH', PATH, { scope: 'screen' })).status).toBe(200)
  const limited = await agent.send('PATCH', PATH, { scope: 'screen' })
  expect(limited.headers.has('retry-after')).toBe(true)
  expect(await codeOf(limited)).toEqual([429, 'rate_limited'])
})

test('[D-183] a workspace keeps 1,000 pictures of a day, or 1 GiB', async () => {
  await using site = await startSharing()
  const { calls } = site
  takesPictures(calls)
  const row = (id: string, bytes: number) => ({
    id,
    ...AT,
    scope: 'screen' as const,
    method: 'element-capture' as const,
    bytes,
    requested_at: new Date(),
    expires_at: new Date(Date.now() + 60_000),
  })
  const idOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
  const { db } = calls.node
  await db
    .insertInto('captures')
    .values(Array.from({ length: 999 }, (_, index) => row(idOf(index), 1)))
    .execute()
  expect((await take(calls, { scope: 'screen' })).status).toBe(200)
  expect(await codeOf(await take(calls, { scope: 'screen' }))).toEqual([409, 'limit_reached'])
  await db.deleteFrom('captures').execute()
  await db
    .insertInto('captures')
    .values(row(idOf(1), 2 ** 30))
    .execute()
  expect(await codeOf(await take(calls, { scope: 'screen' }))).toEqual([409, 'limit_reached'])
  await db
    .updateTable('captures')
    .set({ expires_at: new Date(0) })
    .execute()
  expect((await take(calls, { scope: 'screen' })).status).toBe(200)
})

test('[D-243] C6: what was refused counts no more', async () => {
  await using site = await startSharing()
  const { calls } = site
  calls.control.answer = () => failed('cannot_capture')
  // 32 that are waited for would be all that a workspace may keep.
  for (let index = 0; index < 33; index += 1)
    expect(await codeOf(await take(calls, { scope: 'screen' }))).toEqual([502, 'capture_failed'])
  takesPictures(calls)
  expect((await take(calls, { scope: 'screen' })).status).toBe(200)
})

deepTest(
  '[D-243] what is waited for counts as the largest it may be, and an owner keeps ten times as much',
  async () => {
    await using site = await startSharing()
    const { calls } = site
    takesPictures(calls)
    const { db } = calls.node
    const fill = (repo: string, count: number, bytes: number | null) =>
      sql`insert into captures (id, owner, repo, scope, method, bytes, requested_at, expires_at)
      select gen_random_uuid(), 'ada', ${repo}, 'screen', 'element-capture', ${bytes}::bigint, now(),
        now() + interval '1 minute' from generate_series(1, ${count}::integer)`.execute(db)
    for (const [repo, count, bytes] of [
      ['board', 32, null],
      ['other', 10_000, 1],
      ['other', 320, null],
      ['other', 10, 2 ** 30],
    ] as const) {
      await fill(repo, count, bytes)
      expect(await codeOf(await take(calls, { scope: 'screen' }))).toEqual([409, 'limit_reached'])
      await db.deleteFrom('captures').execute()
      await fill(repo, count - 1, bytes)
      expect((await take(calls, { scope: 'screen' })).status).toBe(200)
      await db.deleteFrom('captures').execute()
    }
  },
)
