import { PROBLEM_CONTENT_TYPE, PROBLEMS, type ProblemCode } from '@patchbay/contracts/core'
import { expect, test } from 'vitest'
import { panelNamed, useWorkspaces } from '../workspace-pages/workspace.ts'
import { type Agent, type Answer, refOf, startAgent } from './agent.ts'

const PER_MINUTE = 30
const bench = useWorkspaces({ environment: { PATCHBAY_PANEL_ACTIONS_PER_MINUTE: String(PER_MINUTE) } })

/** Three panels side by side, and for each a call that would do something. */
async function furnish() {
  const workspace = await bench.make()
  const view = await workspace.add('webview')
  const box = await workspace.add('sandbox', { panelId: view.panelId, direction: 'right' })
  const motor = await workspace.add('code-editor', { panelId: view.panelId, direction: 'down' })
  const calls = {
    webview: (agent: Agent, more = {}) =>
      agent.webview({ panelId: view.panelId, action: 'setHeaderHidden', hidden: true, ...more }),
    sandbox: (agent: Agent, more = {}) =>
      agent.sandbox({ panelId: box.panelId, action: 'setHeaderHidden', hidden: true, ...more }),
    screenshot: (agent: Agent, more = {}) =>
      agent.screenshot({ scope: 'panel', panelId: motor.panelId, ...more }),
  }
  const states = async () => (await workspace.current()).tabs.map(({ state }) => state)
  return { workspace, view, box, motor, calls, before: await states(), states }
}
type Furnished = Awaited<ReturnType<typeof furnish>>

const NOWHERE = '00000000-0000-4000-8000-000000000000'
const all = ({ calls }: Furnished, agent: Agent, more = {}) =>
  Promise.all(Object.values(calls).map((call) => call(agent, more)))

const codeOf = (body: unknown) => (body as { code: ProblemCode } | undefined)?.code

function expectProblem({ status, headers, body }: Answer, code: ProblemCode): void {
  expect(body).toMatchObject({ code, ...PROBLEMS[code], type: `/problems/${code}` })
  expect([status, headers.get('content-type')]).toEqual([
    PROBLEMS[code].status,
    expect.stringContaining(PROBLEM_CONTENT_TYPE),
  ])
}

test('[J-48] what is asked for wrongly, without a key, or of what is not there, is refused in words and changes nothing', async () => {
  const furnished = await furnish()
  const { workspace, view, box, motor, calls, before, states } = furnished
  const agent = await startAgent(bench, workspace)
  const refusals: readonly (readonly [ProblemCode, Promise<Answer>])[] = [
    ['invalid_request', agent.webview({ panelId: view.panelId, action: 'navigate' })],
    [
      'invalid_request',
      agent.webview({ panelId: view.panelId, action: 'navigate', url: 'javascript:alert(1)' }),
    ],
    ['invalid_request', agent.webview({ panelId: view.panelId, action: 'fly' })],
    ['invalid_request', agent.webview({ action: 'refresh' })],
    ['malformed_json', agent.ask('PATCH', `/api/panels/webview/${refOf(workspace)}`, '{')],
    ['invalid_request', agent.sandbox({ panelId: box.panelId, action: 'eval' })],
    ['invalid_request', agent.sandbox({ panelId: box.panelId, action: 'eval', code: '1', timeoutMs: 1 })],
    ['invalid_request', agent.screenshot({ scope: 'panel' })],
    ['invalid_request', agent.screenshot({ scope: 'workspace', method: 'html2canvas' })],
    ['panel_not_found', calls.webview(agent, { panelId: NOWHERE })],
    ['panel_not_found', calls.sandbox(agent, { panelId: NOWHERE })],
    ['panel_not_found', calls.screenshot(agent, { panelId: NOWHERE })],
    ['panel_mismatch', calls.webview(agent, { panelId: box.panelId })],
    ['panel_mismatch', calls.sandbox(agent, { panelId: view.panelId })],
    ['panel_mismatch', calls.webview(agent, { tabId: box.tabId })],
    ['panel_mismatch', calls.screenshot(agent, { tabId: box.tabId })],
    ['panel_mismatch', calls.screenshot(agent, { method: 'html2canvas', tabId: motor.tabId })],
    ['workspace_not_open', calls.screenshot(agent)],
  ]
  for (const [code, answer] of refusals) expectProblem(await answer, code)

  for (const { key, code } of [
    { key: null, code: 'sign_in_required' },
    { key: 'pbk_nonsense', code: 'credential_invalid' },
  ] as const)
    for (const answer of await all(furnished, await startAgent(bench, workspace, { key })))
      expectProblem(answer, code)

  const { handle } = workspace.owner
  const elsewhere = { scopes: [`panels:${handle}/*`], at: `${handle}/nothing-here` }
  for (const answer of await all(furnished, await startAgent(bench, workspace, elsewhere)))
    expectProblem(answer, 'workspace_not_found')
  expect(await states()).toEqual(before)
})

test('[J-49] each call needs its own scope, and a key opens no other workspace of the owner nor of anybody else', async () => {
  const furnished = await furnish()
  const { workspace, calls } = furnished
  const ref = refOf(workspace)
  for (const scope of ['webview', 'sandbox', 'screenshot', 'workspace'] as const) {
    const agent = await startAgent(bench, workspace, { scopes: [`${scope}:${ref}`] })
    for (const [name, call] of Object.entries(calls)) {
      const { status, body } = await call(agent)
      // Whether there is a browser to take it is asked after whether it may be taken.
      const [allowed, why] = name === 'screenshot' ? [409, 'workspace_not_open'] : [204, undefined]
      const expected = name === scope ? [allowed, why] : [403, 'not_permitted']
      expect([scope, name, status, codeOf(body)]).toEqual([scope, name, ...expected])
    }
  }
  const stranger = await bench.make()
  const strangers = [
    await startAgent(bench, workspace, { scopes: [`panels:${workspace.owner.handle}/other`], at: ref }),
    await startAgent(bench, stranger, { scopes: [`panels:${stranger.owner.handle}/*`], at: ref }),
  ]
  for (const agent of strangers)
    for (const answer of await all(furnished, agent)) expectProblem(answer, 'not_permitted')
})

test('[J-50] who calls too often is told when to come back; others are not held up', async () => {
  const furnished = await furnish()
  const { workspace } = furnished
  const [wild, calm] = [await startAgent(bench, workspace), await startAgent(bench, workspace)]
  const looks = await Promise.all(
    Array.from({ length: PER_MINUTE }, () => wild.ask('GET', ':workspace/current')),
  )
  expect(new Set(looks.map(({ status }) => status))).toEqual(new Set([200]))
  for (const call of Object.values(furnished.calls)) {
    let answer = await call(wild)
    // A place comes free every two seconds, also while the machine stands still.
    for (let again = 0; answer.status !== 429 && again < 3; again += 1) answer = await call(wild)
    expectProblem(answer, 'rate_limited')
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect((await furnished.calls.webview(calm)).status).toBe(204)
})

test('[J-51] a picture that nobody has agreed to is 504 with when to ask again, and the person is asked', async () => {
  const { workspace, calls } = await furnish()
  const agent = await startAgent(bench, workspace)
  await using visit = await bench.open(workspace)
  const { page } = visit
  await panelNamed(page, 'Code editor').waitFor()
  const answer = await calls.screenshot(agent, { reason: 'to see whether it turns', timeoutMs: 5_000 })
  expectProblem(answer, 'sharing_not_enabled')
  expect(answer.headers.get('retry-after')).toBe('3')
  const dialog = page.getByRole('dialog', { name: 'Share for screenshots?' })
  await dialog.getByText('to see whether it turns').waitFor()
  expect(await dialog.innerText()).toContain('Lamp agent')
})
