import type { EvalOutcome } from '@patchbay/contracts/panels'
import type { Page } from '@patchbay/testkit/chromium'
import { depth } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'
import { panelNamed, tabNamed, useWorkspaces } from '../workspace-pages/workspace.ts'
import { refOf, startAgent } from './agent.ts'
import { startLoopbackSite } from './loopback-site.ts'
import { responsiveness } from './responsiveness.ts'
import { ESCAPES, READINGS, tried, WAYS } from './ways-out.ts'

// As on a desktop, where sandboxed frames have processes of their own.
const bench = useWorkspaces({ chromium: { args: ['--site-per-process'] } })
const LIMIT_MS = depth({ common: 8_000, deep: 3_000 })
// A page that the code held up would draw nothing for as long as the code runs.
const NOTICEABLE_MS = depth({ common: LIMIT_MS / 2, deep: 1_000 })

/** The document in which code runs: a frame in the frame of the panel. */
const inside = (page: Page) => panelNamed(page, 'Sandbox').frameLocator('iframe').frameLocator('iframe')

test('[J-43] code runs in the page that is open: what it draws is seen, what it gives and prints is answered', async () => {
  const workspace = await bench.make()
  const { panelId } = await workspace.add('sandbox')
  await workspace.add('system-log', { panelId, direction: 'right' })
  const agent = await startAgent(bench, workspace)
  await using visit = await bench.open(workspace)
  const { page } = visit
  expect(await agent.outcome({ panelId, code: '1' })).toMatchObject({ status: 'executed', result: 1 })

  const { status, body } = await agent.sandbox({
    panelId,
    action: 'eval',
    code: `document.body.innerHTML = '<p>The lamp is lit</p>'
      console.log('lit', 3, 'times'); console.warn('hot')
      new Promise((resolve) => setTimeout(() => resolve({ lit: true, levels: [1, null] }), 20))`,
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    status: 'executed',
    result: { lit: true, levels: [1, null] },
    resultType: 'object',
    console: [
      { level: 'log', text: 'lit 3 times' },
      { level: 'warn', text: 'hot' },
    ],
  })
  await inside(page).getByText('The lamp is lit').waitFor()
  await panelNamed(page, 'System log').getByText('lit 3 times').waitFor()

  for (const { code, outcome } of [
    { code: '10n ** 20n', outcome: { resultType: 'bigint', result: '100000000000000000000n' } },
    { code: 'undefined', outcome: { resultType: 'undefined' } },
    { code: 'document.body', outcome: { resultType: 'object' } },
    { code: `await 0; return 'late'`, outcome: { resultType: 'string', result: 'late' } },
  ])
    expect(await agent.outcome({ panelId, code })).toMatchObject({ status: 'executed', ...outcome })
  for (const { code, error } of [
    { code: `null.lamp`, error: /^TypeError: .*null/ },
    { code: `Promise.reject(new RangeError('too bright'))`, error: /^RangeError: too bright/ },
    { code: `let let = 1`, error: /^SyntaxError: / },
  ]) {
    const answer = await agent.sandbox({ panelId, action: 'eval', code })
    expect(answer).toMatchObject({ status: 200, body: { status: 'error' } })
    expect((answer.body as EvalOutcome).error).toMatch(error)
  }
})

test('[J-44] code that never ends is an error by its deadline; the workspace goes on meanwhile, and so does the next code', async () => {
  const workspace = await bench.make()
  const { panelId } = await workspace.add('sandbox')
  const { panelId: beside } = await workspace.add('code-editor', { panelId, direction: 'right' })
  await workspace.add('webview', { panelId: beside })
  await workspace.add('system-log', { panelId: beside, direction: 'down' })
  const agent = await startAgent(bench, workspace)
  await using visit = await bench.open(workspace)
  const { page } = visit
  await agent.outcome({ panelId, code: `document.body.textContent = 'before'` })
  await inside(page).getByText('before').waitFor()

  const begun = performance.now()
  const code = `console.log('no end in sight'); while (true) {}`
  const hanging = agent.sandbox({ panelId, action: 'eval', code, timeoutMs: LIMIT_MS })
  await panelNamed(page, 'System log').getByText('no end in sight').waitFor()
  const { longestFrameMs, clickMs } = await responsiveness(page, tabNamed(page, 'Code editor'))
  const measuredMs = performance.now() - begun
  const { status, body } = await hanging
  const tookMs = performance.now() - begun
  expect([status, body]).toMatchObject([200, { status: 'error', error: `timed out after ${LIMIT_MS} ms` }])
  expect(tookMs).toBeGreaterThanOrEqual(LIMIT_MS)
  expect(tookMs).toBeLessThan(LIMIT_MS + 5_000)
  expect(measuredMs).toBeLessThan(tookMs)
  expect(longestFrameMs).toBeLessThan(NOTICEABLE_MS)
  expect(clickMs).toBeLessThan(NOTICEABLE_MS)

  expect(await agent.outcome({ panelId, code: '6 * 7' })).toMatchObject({ status: 'executed', result: 42 })
  expect(await inside(page).getByText('before').count()).toBe(0)
})

test('[J-45] code for a workspace that nobody has open waits, runs in its order once somebody opens it, and is fetched by id', async () => {
  const workspace = await bench.make()
  const { panelId } = await workspace.add('sandbox')
  const agent = await startAgent(bench, workspace)
  const evals = `/api/panels/sandbox/${refOf(workspace)}/evals`
  const fetched = (id: string, waitMs: number) => agent.ask('GET', `${evals}/${id}?waitMs=${waitMs}`)
  const queued: EvalOutcome[] = []
  for (const letter of 'abc') {
    const code = `document.body.textContent += '${letter}'; document.body.textContent.trim()`
    const { status, body } = await agent.sandbox({ panelId, action: 'eval', code })
    expect([status, body]).toMatchObject([200, { status: 'queued' }])
    queued.push(body as EvalOutcome)
  }
  expect(await fetched(queued[0]?.id ?? '', 0)).toMatchObject({ status: 200, body: { status: 'queued' } })

  await using visit = await bench.open(workspace)
  const outcomes = await Promise.all(queued.map(({ id }) => fetched(id, 20_000)))
  expect(outcomes.map(({ body }) => body)).toMatchObject(
    ['a', 'ab', 'abc'].map((result) => ({ status: 'executed', result })),
  )
  await inside(visit.page).getByText('abc').waitFor()
  await using second = await bench.open(workspace)
  await panelNamed(second.page, 'Sandbox').getByText('Ready').waitFor()
  const again = await Promise.all(queued.map(({ id }) => fetched(id, 0)))
  expect(again.map(({ body }) => body)).toEqual(outcomes.map(({ body }) => body))
  expect(await inside(second.page).getByText('a').count()).toBe(0)
})

test('[J-46] reset leaves nothing of what ran; setHeaderHidden takes the bar away and brings it back', async () => {
  const workspace = await bench.make()
  const { panelId } = await workspace.add('sandbox')
  const agent = await startAgent(bench, workspace)
  await using visit = await bench.open(workspace)
  const { page } = visit
  await agent.outcome({ panelId, code: `globalThis.lamp = 1; document.body.textContent = 'on'` })
  await inside(page).getByText('on').waitFor()
  expect(await agent.sandbox({ panelId, action: 'reset' })).toMatchObject({ status: 204, body: undefined })
  expect(await agent.outcome({ panelId, code: 'typeof lamp' })).toMatchObject({ result: 'undefined' })
  expect(await inside(page).getByText('on').count()).toBe(0)

  const hide = (hidden: boolean) => agent.sandbox({ panelId, action: 'setHeaderHidden', hidden })
  const bar = panelNamed(page, 'Sandbox').getByText('No network')
  expect(await hide(true)).toMatchObject({ status: 204, body: undefined })
  await bar.waitFor({ state: 'detached' })
  await page.reload()
  await inside(page).locator('body').waitFor({ state: 'attached' })
  expect(await bar.count()).toBe(0)
  expect(await hide(false)).toMatchObject({ status: 204, body: undefined })
  await bar.waitFor()
  await hide(true)
  await page.getByRole('button', { name: 'Show the bar' }).click()
  await bar.waitFor()
})

test('[J-47] code reads nothing of the page around it, and reaches no address', async () => {
  await using ear = await startLoopbackSite((_request, response) => response.writeHead(204).end())
  await fetch(ear.url)
  expect(ear.connections()).toBe(1)
  const workspace = await bench.make()
  const { panelId } = await workspace.add('sandbox')
  const agent = await startAgent(bench, workspace)
  // The browser says of each what it has refused.
  await using visit = await bench.open(workspace, { expectedFaults: [/^console (?:error|warning): /] })
  const { page } = visit
  await page.evaluate(() => {
    localStorage.setItem('secret', 'of the person')
    sessionStorage.setItem('secret', 'of the person')
  })
  const run = (code: string) => agent.outcome({ panelId, code })

  expect(await run('origin')).toMatchObject({ result: 'null' })
  expect(await run(tried(READINGS))).toMatchObject({
    status: 'executed',
    result: READINGS.map((reading) => (reading.startsWith('frameElement') ? 'TypeError' : 'SecurityError')),
  })
  for (const address of [ear.url, `${bench.site.url}/auth/session`]) {
    const target = `const T = ${JSON.stringify(address)};`
    const { result } = await run(target + tried(WAYS))
    expect(result).toEqual(WAYS.map(() => expect.toBeOneOf([false, 'TypeError', 'SecurityError'])))
    for (const escape of ESCAPES) await run(target + escape)
  }
  expect(await run(`'still here'`)).toMatchObject({ result: 'still here' })
  expect(ear.connections()).toBe(1)
  expect(page.url()).toBe(bench.site.url + workspace.path)
  expect(page.context().pages()).toHaveLength(1)
})
