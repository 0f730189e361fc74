import { randomBytes } from 'node:crypto'
import { type Capture, type EvalOutcome, SANDBOX_HOST_PATH } from '@patchbay/contracts/panels'
import type { Page } from '@patchbay/testkit/chromium'
import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { makeAccount } from '../installation/accounts.ts'
import { startSecureSite } from './secure-site.ts'
import { panelNamed, tabNamed, useWorkspaces, type Workspace } from './workspace.ts'

// As on a desktop, where sandboxed frames have processes of their own.
const bench = useWorkspaces({ chromium: { args: ['--site-per-process'] } })
const panel = (page: Page) => panelNamed(page, 'Sandbox').first()
const ready = (page: Page) => panel(page).getByText('Ready', { exact: true }).waitFor()

const act = (workspace: Workspace, body: Record<string, unknown>) =>
  workspace.call('PATCH', '/api/panels/sandbox/:ref', body)

/** What came of code, also of code that had to wait. */
async function run(workspace: Workspace, panelId: string, code: string): Promise<EvalOutcome> {
  const told = (await act(workspace, { panelId, action: 'eval', code, timeoutMs: 10_000 })) as EvalOutcome
  return told.status === 'queued' ? await outcomeOf(workspace, told.id) : told
}
const outcomeOf = async (workspace: Workspace, id: string) =>
  (await workspace.call('GET', `/api/panels/sandbox/:ref/evals/${id}?waitMs=20000`)) as EvalOutcome

test('[W-350][W-351] the panel says when its frame is ready; code waits for it, and its console is in the log', async () => {
  const workspace = await bench.make()
  const { panelId, tabId } = await workspace.add('sandbox')
  await workspace.add('system-log', { panelId, direction: 'right' })
  await using visit = await bench.visit()
  const { page } = visit
  const released = Promise.withResolvers<void>()
  await page.route(`**${SANDBOX_HOST_PATH}*`, async (route) => {
    await released.promise
    await route.continue()
  })
  await bench.openIn(visit, workspace)
  await panel(page).getByText('Starting', { exact: true }).waitFor()
  const early = (await act(workspace, { panelId, action: 'eval', code: '6 * 7' })) as EvalOutcome
  expect(early.status).toBe('queued')
  released.resolve()
  await ready(page)
  expect(await outcomeOf(workspace, early.id)).toMatchObject({ status: 'executed', result: 42 })

  const log = panelNamed(page, 'System log')
  await run(workspace, panelId, `console.warn('hot'); setTimeout(() => console.error('late'), 50)`)
  await log.getByText(/^Sandbox Warning: hot$/).waitFor()
  await log.getByText(/^Sandbox Error: late$/).waitFor()
  await workspace.call('PATCH', `:workspace/current/tabs/${tabId}`, { displayName: 'Bench' })
  await tabNamed(page, 'Bench').waitFor()
  await run(workspace, panelId, `console.log('renamed')`)
  await log.getByText(/^Bench renamed$/).waitFor()
})

test('[W-352] a reset and Restart leave nothing of what ran, and end what runs', async () => {
  const workspace = await bench.make()
  const { panelId } = await workspace.add('sandbox')
  await using visit = await bench.open(workspace)
  const { page } = visit
  await ready(page)
  const lamp = async () => (await run(workspace, panelId, 'typeof lamp')).result
  await run(workspace, panelId, 'globalThis.lamp = 1')
  expect(await lamp()).toBe('number')
  await act(workspace, { panelId, action: 'reset' })
  expect(await lamp()).toBe('undefined')

  await run(workspace, panelId, 'globalThis.lamp = 2')
  const waiting = run(workspace, panelId, `document.body.textContent = 'begun'; new Promise(() => {})`)
  await panel(page).frameLocator('iframe').frameLocator('iframe').getByText('begun').waitFor()
  await panel(page).getByRole('button', { name: 'Restart' }).click()
  expect(await waiting).toMatchObject({ status: 'error' })
  await ready(page)
  expect(await lamp()).toBe('undefined')
})

test('[W-353] the bar names what code may reach, and code reaches that alone', async () => {
  await using declared = await startSecureSite()
  await using other = await startSecureSite()
  const workspace = await bench.make()
  const { panelId } = await workspace.add('sandbox', { initialState: { connect: [declared.origin] } })
  const closed = await workspace.add('sandbox', { panelId, direction: 'right', displayName: 'Closed' })
  await using visit = await bench.open(workspace, {
    ignoreHTTPSErrors: true,
    expectedFaults: [/connect-src|Content Security Policy/],
  })
  const { page } = visit
  await panel(page).getByText(`May reach ${declared.origin}`).waitFor()
  await panelNamed(page, 'Closed').getByText('No network').waitFor()
  const reach = ({ origin }: { readonly origin: string }) =>
    `fetch('${origin}').then((answer) => answer.text(), () => 'refused')`
  expect(await run(workspace, panelId, reach(declared))).toMatchObject({ result: 'lit' })
  expect(await run(workspace, panelId, reach(other))).toMatchObject({ result: 'refused' })
  expect(await run(workspace, closed.panelId, reach(declared))).toMatchObject({ result: 'refused' })
  expect([declared.asked(), other.asked()]).toEqual([1, 0])
})

test('[W-354][W-355] the bar goes and comes, the tab moves, and what ran stays; a picture is as large as the frame', async () => {
  const workspace = await bench.make()
  const { panelId, tabId } = await workspace.add('sandbox')
  await workspace.add('code-editor', { panelId, direction: 'right' })
  await using visit = await bench.open(workspace)
  const { page } = visit
  await ready(page)
  const draw = `document.body.style.margin = 0; document.body.innerHTML = '<div style="height:100vh;background:rgb(0,170,0)"></div>'`
  await run(workspace, panelId, `globalThis.lamp = 1; ${draw}`)
  const lamp = async (at = panelId) => (await run(workspace, at, 'lamp')).result
  const pictured = async () => {
    const { url } = (await workspace.call('PATCH', ':workspace/current/screenshot', {
      scope: 'panel',
      tabId,
      method: 'html2canvas',
      timeoutMs: 20_000,
    })) as Capture
    const picture = await page.request.get(url)
    const { width, height, data } = PNG.sync.read(await picture.body())
    const bottom = ((height - 2) * width + 5) * 4
    return { size: [width, height], bottom: [...data.subarray(bottom, bottom + 3)] }
  }
  const frameSize = async () => {
    const box = await panel(page).locator('iframe').boundingBox()
    return [box?.width, box?.height]
  }
  const small = await frameSize()
  expect(await pictured()).toEqual({ size: small, bottom: [0, 170, 0] })

  const bar = panel(page).getByText('No network')
  await act(workspace, { panelId, action: 'setHeaderHidden', hidden: true })
  await bar.waitFor({ state: 'detached' })
  const large = await frameSize()
  expect(large[1]).toBeGreaterThan(small[1] ?? 0)
  expect(await pictured()).toEqual({ size: large, bottom: [0, 170, 0] })
  await panel(page).getByRole('button', { name: 'Show the bar' }).click()
  await bar.waitFor()
  await panel(page).getByRole('button', { name: 'Hide this bar' }).click()
  await bar.waitFor({ state: 'detached' })
  await act(workspace, { panelId, action: 'setHeaderHidden', hidden: false })
  await bar.waitFor()
  expect(await lamp()).toBe(1)

  await workspace.add('system-log', { panelId })
  await workspace.call('PATCH', `:workspace/current/tabs/${tabId}`, { moveTo: { direction: 'down' } })
  await expect.poll(() => workspace.drawn()).toMatch(/^column\(.*Sandbox\*\)$/)
  const moved = (await workspace.current()).tabs.find((tab) => tab.tabId === tabId)
  expect(await lamp(moved?.panelId)).toBe(1)
})

test('[W-356] who may only look has no button that works, and code does not run in their page', async () => {
  const member = await makeAccount(bench.site, `looks-${randomBytes(3).toString('hex')}`)
  const workspace = await bench.make({ members: [member] })
  const { panelId } = await workspace.add('sandbox')
  await using visit = await bench.open(workspace, { as: member })
  const { page } = visit
  await ready(page)
  for (const name of ['Restart', 'Hide this bar'])
    expect(await panel(page).getByRole('button', { name }).isDisabled()).toBe(true)
  const told = (await act(workspace, { panelId, action: 'eval', code: '1' })) as EvalOutcome
  expect(told.status).toBe('queued')
  await act(workspace, { panelId, action: 'setHeaderHidden', hidden: true })
  await panel(page).getByText('No network').waitFor({ state: 'detached' })
  expect(await panel(page).getByRole('button').count()).toBe(0)
})

const drawn = (page: Page, text: string) =>
  panel(page).frameLocator('iframe').frameLocator('iframe').getByText(text, { exact: true })
const greet = `document.body.textContent = 'Hello'; console.log('greeted')`

test('[W-422][D-311] L4: after a reload the panel names the last code and its author, and runs it again', async () => {
  const workspace = await bench.make()
  const { panelId } = await workspace.add('sandbox')
  await using visit = await bench.open(workspace)
  const { page } = visit
  await ready(page)
  await run(workspace, panelId, greet)
  await drawn(page, 'Hello').waitFor()
  const notice = panel(page).getByText('What code drew here is not kept')
  expect(await notice.count()).toBe(0)
  await page.reload()
  await notice.waitFor()
  await panel(page).getByText(`Last code from Nightly agent (${workspace.owner.handle})`).waitFor()
  await panel(page).getByText('Show the code').click()
  await panel(page).getByText(greet).waitFor()
  await panel(page).getByRole('button', { name: 'Run again' }).click()
  await drawn(page, 'Hello').waitFor()
  await notice.waitFor({ state: 'detached' })

  await run(workspace, panelId, `throw new Error('no lamp')`)
  await page.reload()
  await panel(page).getByRole('button', { name: 'Run again' }).click()
  await panel(page).getByText('Error: no lamp').waitFor()
  await panel(page).getByRole('button', { name: 'Restart' }).click()
  await panel(page).getByText('Error: no lamp').waitFor({ state: 'detached' })
})

test('[W-423][W-328] L5: a script that does not end is named by the sandbox beside it, which runs its code again', async () => {
  const workspace = await bench.make()
  const { panelId } = await workspace.add('sandbox')
  await workspace.add('script-runner', {
    panelId,
    direction: 'right',
    initialState: { code: 'while (true) {}' },
  })
  await using visit = await bench.open(workspace)
  const { page } = visit
  await ready(page)
  await run(workspace, panelId, greet)
  await drawn(page, 'Hello').waitFor()
  const script = panelNamed(page, 'Script runner')
  await script.getByRole('button', { name: 'Run', exact: true }).click()
  // Whoever notices first: the watchdog of the script, or that of the sandbox beside it.
  await script.getByText(/timed out after 5000 ms|stopped answering/).waitFor()
  await panel(page).getByText('The sandbox was restarted').waitFor()
  await panel(page).getByText('code in it, or in another panel, did not end').waitFor()
  await panel(page).getByRole('button', { name: 'Run again' }).click()
  await drawn(page, 'Hello').waitFor()
  await expect.poll(() => panel(page).getByText('The sandbox was restarted').count()).toBe(0)
})
