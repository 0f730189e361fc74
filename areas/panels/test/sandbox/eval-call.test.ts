import { setTimeout as pause } from 'node:timers/promises'
import type { SandboxResult, SandboxState } from '@patchbay/contracts/panels'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { listActions } from '../../src/access/action.store.ts'
import type { CommandOutcome } from '../../src/control.ts'
import { listPanelStates } from '../../src/workspaces/panel-state.store.ts'
import { AT, codeOf, makeTabs, removeTab, splitOff, startCalls, takeCalls } from '../webview/calls.ts'
import { openBrowser } from '../webview/stand-in.ts'
import { evaluate, executed, fetchEval, PATH } from './evals.ts'

test('[D-150] what the browser says is the answer, and can be fetched again', async () => {
  await using calls = await takeCalls()
  const [{ panelId, tabId }] = await makeTabs(calls.node, ['sandbox'])
  await calls.control.setReady(AT, tabId)
  const ada = calls.as('ada')
  const said: SandboxResult[] = [
    {
      status: 'executed',
      result: { a: [1, 'two', null], b: { c: true } },
      resultType: 'object',
      console: [{ level: 'warn', text: 'careful' }],
      durationMs: 12,
    },
    { status: 'executed', resultType: 'undefined', durationMs: 0 },
    { status: 'executed', result: 'cut', resultType: 'string', isTruncated: true, durationMs: 3 },
    { status: 'error', error: 'ReferenceError: x is not defined', durationMs: 1 },
  ]
  for (const evaluation of said) {
    calls.control.execute = async () => ({ outcome: 'done', result: { evaluation } })
    const answer = await evaluate(ada, panelId, 'x')
    expect(answer).toEqual({ ...evaluation, id: answer.id, expiresAt: answer.expiresAt })
    expect(await fetchEval(ada, answer.id)).toEqual(answer)
  }
  calls.control.execute = async () => ({ outcome: 'done', result: {} })
  expect(await evaluate(ada, panelId, 'x')).toMatchObject({ status: 'error', error: /did not say/ })
  calls.control.execute = async ({ timeoutMs }) => ({ outcome: timeoutMs === 700 ? 'timeout' : 'lost' })
  expect(await evaluate(ada, panelId, 'x', { timeoutMs: 700 })).toMatchObject({
    status: 'error',
    error: /not done after 700 ms/,
  })
})

test('[D-151] without a frame that is ready the answer is queued at once, and the code runs when there is one', async () => {
  await using calls = await takeCalls()
  const [{ panelId, tabId }] = await makeTabs(calls.node, ['sandbox'])
  const ada = calls.as('ada')
  const seen: string[] = []
  calls.control.execute = async ({ code }) => {
    seen.push(code)
    return executed(code)
  }
  const queued = []
  for (const browser of [undefined, openBrowser(), openBrowser({ mayAct: false, readyTabs: [tabId] })]) {
    calls.control.browser = browser
    // One that only watches would be ready: nothing is to be run in it.
    if (browser?.mayAct === false) calls.control.runQueued = () => undefined
    const begunAt = performance.now()
    const answer = await evaluate(ada, panelId, `code ${queued.length}`, { timeoutMs: 30_000 })
    expect(performance.now() - begunAt).toBeLessThan(15_000)
    expect(answer).toEqual({ status: 'queued', id: answer.id, expiresAt: answer.expiresAt })
    expect(await fetchEval(ada, answer.id)).toEqual(answer)
    queued.push(answer.id)
  }
  expect(seen).toEqual([])
  const waiting = fetchEval(ada, queued[2] ?? '', 30_000)
  await calls.control.setReady(AT, tabId)
  expect(seen).toEqual(['code 0', 'code 1', 'code 2'])
  expect(await waiting).toMatchObject({ status: 'executed', result: 'code 2' })
})

test('[D-154] every character comes back, and what is too large is cut', async () => {
  await using calls = await takeCalls()
  const [{ panelId, tabId }] = await makeTabs(calls.node, ['sandbox'])
  await calls.control.setReady(AT, tabId)
  const ada = calls.as('ada')
  const strange = { 'a\0': 'b\0', half: '\ud800', all: '\u2028"\\\u{1f600}', n: -0.5e-7 }
  const lines = [{ level: 'log', text: 'NUL \0' }] as const
  calls.control.execute = async () => executed(strange, { console: [...lines] })
  expect(await evaluate(ada, panelId, 'x')).toMatchObject({ result: strange, console: lines })
  const large = 'y'.repeat(100_000)
  calls.control.execute = async () => executed(large, { resultType: 'string' })
  const answer = await evaluate(ada, panelId, 'x')
  expect(answer).toMatchObject({ status: 'executed', isTruncated: true, resultType: 'string' })
  expect(answer.result).toBe(JSON.stringify(large).slice(0, 65_536))
})

test('[D-155] code that cannot be run is refused', async () => {
  await using calls = await takeCalls()
  const [{ panelId }] = await makeTabs(calls.node, ['sandbox'])
  const ada = calls.as('ada')
  for (const wrong of [
    { code: 'a\0b' },
    { code: 'x'.repeat(262_145) },
    { code: 7 },
    {},
    { code: '1', timeoutMs: 99 },
    { code: '1', timeoutMs: 30_001 },
    { code: '1', timeoutMs: '500' },
  ]) {
    const answer = await ada.send('PATCH', PATH, { panelId, action: 'eval', ...wrong })
    expect(await codeOf(answer)).toEqual([400, 'invalid_request'])
  }
  expect((await evaluate(ada, panelId, 'x'.repeat(262_144), { timeoutMs: 100 })).status).toBe('queued')
})

test('[D-163] a browser that goes while code runs leaves an error, and the code is not run again', async () => {
  await using calls = await takeCalls()
  const [{ panelId, tabId }] = await makeTabs(calls.node, ['sandbox'])
  let runs = 0
  calls.control.execute = async () => {
    runs += 1
    return { outcome: 'lost' }
  }
  await calls.control.setReady(AT, tabId)
  const answer = await evaluate(calls.as('ada'), panelId, 'x')
  expect(answer).toMatchObject({ status: 'error', error: /went away while the code ran/ })
  calls.control.execute = () => Promise.reject(new Error('the channel broke'))
  expect((await evaluate(calls.as('ada'), panelId, 'y')).status).toBe('error')
  await calls.control.setReady(AT, tabId)
  expect(runs).toBe(1)
})

test('[D-170] reset fails what waits and what runs, and code after it runs', async () => {
  await using calls = await takeCalls()
  const [{ panelId, tabId }] = await makeTabs(calls.node, ['sandbox'])
  await calls.control.setReady(AT, tabId)
  const ada = calls.as('ada')
  const held = Promise.withResolvers<CommandOutcome>()
  calls.control.execute = ({ code }) => (code === 'held' ? held.promise : Promise.resolve(executed(code)))
  const running = evaluate(ada, panelId, 'held', { timeoutMs: 30_000 })
  const count = async () => (await calls.node.db.selectFrom('sandbox_evals').select('id').execute()).length
  await expect.poll(count, { timeout: 20_000 }).toBe(1)
  const waiting = evaluate(ada, panelId, 'waits', { timeoutMs: 30_000 })
  await expect.poll(count, { timeout: 20_000 }).toBe(2)
  const reset = await ada.send('PATCH', PATH, { panelId, action: 'reset' })
  expect([reset.status, await reset.text()]).toEqual([204, ''])
  expect(reset.headers.get('x-panel-shown')).toBe('yes')
  expect(await running).toMatchObject({ status: 'error', error: /reset while the code ran/ })
  expect(await waiting).toMatchObject({ status: 'error', error: /reset before the code ran/ })
  const shown = calls.control.sent.at(-1)
  expect(shown).toMatchObject({ kind: 'show', tabId })
  const next = evaluate(ada, panelId, 'next', { timeoutMs: 30_000 })
  held.resolve(executed('too late'))
  expect(await next).toMatchObject({ status: 'executed', result: 'next' })
  expect((await fetchEval(ada, (await running).id)).status).toBe('error')
  await ada.send('PATCH', PATH, { panelId, action: 'reset' })
  const [before, after] = calls.control.sent.flatMap((each) =>
    each.kind === 'show' ? [each.state['reset']] : [],
  )
  expect(Number(after)).toBeGreaterThan(Number(before))
})

test('[D-171] setHeaderHidden answers 204 and keeps the rest', async () => {
  await using calls = await takeCalls()
  const [{ panelId }] = await makeTabs(calls.node, ['sandbox'])
  const act = async (action: object) =>
    (await calls.as('ada').send('PATCH', PATH, { panelId, ...action })).status
  expect(await act({ action: 'reset' })).toBe(204)
  expect(await act({ action: 'setHeaderHidden', hidden: true })).toBe(204)
  const { state } = await calls.node.db.selectFrom('panel_states').select('state').executeTakeFirstOrThrow()
  expect(state).toEqual({ reset: expect.any(Number), isHeaderHidden: true })
  expect(await act({ action: 'setHeaderHidden', hidden: 1 })).toBe(400)
})

test('[D-172] what became of code is told when it is known, and to this workspace alone', async () => {
  await using calls = await takeCalls()
  const [{ panelId, tabId }] = await makeTabs(calls.node, ['sandbox'])
  await makeTabs(calls.node, ['sandbox'], { owner: 'ada', repo: 'other' })
  const ada = calls.as('ada')
  const { id } = await evaluate(ada, panelId, 'x')
  const begunAt = performance.now()
  expect((await fetchEval(ada, id, 300)).status).toBe('queued')
  expect(performance.now() - begunAt).toBeGreaterThan(280)
  const waiting = fetchEval(ada, id, 30_000)
  await pause(50)
  calls.control.execute = async () => executed(42)
  await calls.control.setReady(AT, tabId)
  expect(await waiting).toMatchObject({ status: 'executed', result: 42 })
  const elsewhere = await ada.ask(`/api/panels/sandbox/ada/other/evals/${id}`)
  expect(await codeOf(elsewhere)).toEqual([404, 'not_found'])
  const unknown = await ada.ask(`${PATH}/evals/00000000-0000-4000-8000-000000000000?waitMs=5`)
  expect(await codeOf(unknown)).toEqual([404, 'not_found'])
  expect((await ada.ask(`${PATH}/evals/none`)).status).toBe(400)
  expect((await ada.ask(`${PATH}/evals/${id}?waitMs=30001`)).status).toBe(400)
})

test('[D-173] actions are noted; refusals 400, 401, 403, 404, 409 and 429 run nothing', async () => {
  await using calls = await startCalls({ settings: { actionsPerMinute: 2 } })
  const [{ panelId, tabId }, editor] = await makeTabs(calls.node, ['sandbox', 'code-editor'])
  const person = calls.as('ada', { kind: 'browser' })
  const body = { panelId, action: 'eval', code: '1', reason: 'To see' }
  expect(await codeOf(await person.send('PATCH', PATH, { ...body, action: 'run' }))).toEqual([
    400,
    'invalid_request',
  ])
  const nobody = await fetch(calls.url + PATH, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(await codeOf(nobody)).toEqual([401, 'sign_in_required'])
  for (const scope of ['webview:ada/board', 'screenshot:ada/*', 'workspace:ada/board', 'sandbox:ada/other']) {
    const key = calls.as('ada', { label: scope, scopes: [scope] })
    expect(await codeOf(await key.send('PATCH', PATH, body))).toEqual([403, 'not_permitted'])
    expect((await key.ask(`${PATH}/evals/${tabId}`)).status).toBe(403)
  }
  const absent = await person.send('PATCH', '/api/panels/sandbox/ada/absent', body)
  expect(await codeOf(absent)).toEqual([404, 'workspace_not_found'])
  const other = await splitOff(calls.node, editor ?? { tabId, panelId })
  const mismatch = await person.send('PATCH', PATH, { ...body, panelId: other.panelId })
  expect(await codeOf(mismatch)).toEqual([409, 'panel_mismatch'])
  expect(await calls.node.db.selectFrom('sandbox_evals').select('id').execute()).toEqual([])
  const agent = calls.as('ada', { label: 'robot', scopes: ['sandbox:ada/board'] })
  for (let call = 0; call < 2; call += 1) expect((await agent.send('PATCH', PATH, body)).status).toBe(200)
  const limited = await agent.send('PATCH', PATH, body)
  expect(limited.headers.has('retry-after')).toBe(true)
  expect(await codeOf(limited)).toEqual([429, 'rate_limited'])
  const [action] = await listActions(calls.node.db, AT, { after: 0, limit: 1 })
  expect(action).toMatchObject({ tabId, action: 'sandbox eval', reason: 'To see', by: { name: 'robot' } })
})

// At once, each on a node of its own: most of their time is a wait.
test.concurrent('[D-152] behind code that still runs a caller waits for its turn, then is told that it is queued', async () => {
  await using calls = await takeCalls()
  const [{ panelId, tabId }] = await makeTabs(calls.node, ['sandbox'])
  await calls.control.setReady(AT, tabId)
  const ada = calls.as('ada')
  const held = Promise.withResolvers<CommandOutcome>()
  calls.control.execute = ({ code }) => (code === 'held' ? held.promise : Promise.resolve(executed(code)))
  const first = evaluate(ada, panelId, 'held', { timeoutMs: 30_000 })
  await waitUntil('it runs', async () => (await statuses()).join() === 'running')
  const begunAt = performance.now()
  const second = await evaluate(ada, panelId, 'second', { timeoutMs: 200 })
  expect(performance.now() - begunAt).toBeGreaterThan(1_100)
  expect(second.status).toBe('queued')
  const third = evaluate(ada, panelId, 'third', { timeoutMs: 30_000 })
  await waitUntil('it is queued', async () => (await statuses()).join() === 'running,queued,queued')
  held.resolve(executed('held'))
  expect(await first).toMatchObject({ status: 'executed', result: 'held' })
  expect(await third).toMatchObject({ status: 'executed', result: 'third' })
  expect(await fetchEval(ada, second.id)).toMatchObject({ status: 'executed', result: 'second' })

  async function statuses() {
    const rows = await calls.node.db.selectFrom('sandbox_evals').select('status').orderBy('seq').execute()
    return rows.map(({ status }) => status)
  }
})

deepTest.concurrent(
  '[D-153] a frame that was not ready after all leaves the code first in its line',
  async () => {
    await using calls = await takeCalls()
    const [{ panelId, tabId }] = await makeTabs(calls.node, ['sandbox'])
    await calls.control.setReady(AT, tabId)
    const ada = calls.as('ada')
    const ids: string[] = []
    const outcomes: CommandOutcome[] = [
      { outcome: 'failed', code: 'not_ready', message: '' },
      { outcome: 'failed', code: 'no_such_tab', message: '' },
      { outcome: 'no_browser' },
    ]
    for (const outcome of outcomes) {
      calls.control.execute = async () => outcome
      const timeoutMs = outcome.outcome === 'no_browser' ? 200 : 30_000
      const answer = await evaluate(ada, panelId, `code ${ids.length}`, { timeoutMs })
      expect(answer.status).toBe('queued')
      ids.push(answer.id)
    }
    const seen: string[] = []
    calls.control.execute = async ({ code }) => {
      seen.push(code)
      return executed(code)
    }
    await calls.control.setReady(AT, tabId)
    expect(seen).toEqual(['code 0', 'code 1', 'code 2'])
    for (const id of ids) expect((await fetchEval(ada, id)).status).toBe('executed')
  },
)

test.concurrent('[D-167] removing the tab ends who waits, and what was queued is gone', async () => {
  await using calls = await takeCalls()
  const [{ panelId, tabId }, other] = await makeTabs(calls.node, ['sandbox', 'sandbox'])
  expect(other).toBeDefined()
  const ada = calls.as('ada')
  // Ready by its word, but nothing is ever run in it.
  calls.control.browser = openBrowser({ readyTabs: [tabId] })
  calls.control.runQueued = () => undefined
  const waiting = evaluate(ada, panelId, 'x', { timeoutMs: 30_000 })
  const queued = () => calls.node.db.selectFrom('sandbox_evals').select('id').execute()
  await waitUntil('it is queued', async () => (await queued()).length === 1)
  const [row] = await queued()
  await removeTab(calls.node, tabId)
  expect(await waiting).toMatchObject({ status: 'error', error: /before the code ran/ })
  expect(await codeOf(await ada.ask(`${PATH}/evals/${row?.id}`))).toEqual([404, 'not_found'])
})

test('[D-311] L4: the last code, who sent it and when are part of what the panel shows', async () => {
  await using calls = await takeCalls()
  const [{ panelId, tabId }] = await makeTabs(calls.node, ['sandbox'])
  await calls.control.setReady(AT, tabId)
  calls.control.execute = async () => executed(1)
  const ada = calls.as('ada')
  const state = async () =>
    (await listPanelStates(calls.node.db, AT)).find((one) => one.tabId === tabId)?.state as SandboxState
  await ada.send('PATCH', PATH, { panelId, action: 'setHeaderHidden', hidden: true })
  await evaluate(ada, panelId, 'draw()')
  const { lastRun } = await state()
  expect(lastRun).toEqual({
    code: 'draw()',
    by: expect.objectContaining({ handle: 'ada' }),
    at: expect.any(String),
  })
  expect((await state()).isHeaderHidden).toBe(true)
  for (const code of ['x'.repeat(12_001), `'\ud800'`]) {
    expect(await evaluate(ada, panelId, code)).toMatchObject({ status: 'executed' })
    expect(Object.keys((await state()).lastRun ?? {}).toSorted()).toEqual(['at', 'by'])
  }
})
