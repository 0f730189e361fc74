import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, depth } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { type ExpectStatic, test } from 'vitest'
import { startPlainPage } from '../workspace-pages/plain-page.ts'
import { panelNamed, tabNamed } from '../workspace-pages/workspace.ts'
import { noting, ranIn, sandboxIsReady } from './code.ts'
import { useNodes } from './nodes.ts'
import { allConfirmed, leavesIn, leavesOf } from './shown.ts'

const PATIENCE = { timeout: 120_000 }
const RECONNECTING = [/WebSocket connection to|net::ERR_/]
const COUNTER = `<h1>Load %</h1><button>Pressed 0</button>
<script>let n = 0; document.querySelector('button').onclick = ({ target }) => { target.textContent = 'Pressed ' + ++n }</script>`

const bench = useNodes()

test.concurrent(
  '[J-77] a tab that is moved, in whatever way and by whomever, keeps its frame',
  PATIENCE,
  async ({ expect }) => {
    await using plain = await startPlainPage(COUNTER)
    const workspace = await bench.make()
    const { atOne, atOther } = workspace
    const view = await atOne.add('webview', { initialState: { url: plain.url } })
    const sandbox = await atOne.add('sandbox', { panelId: view.panelId, direction: 'right' })
    const motor = await atOne.add('code-editor', { panelId: view.panelId, direction: 'down' })
    await using mine = await bench.open(workspace, { node: bench.nodes.one })
    await using other = await bench.open(workspace, { node: bench.nodes.other })
    const pages = [mine.page, other.page]
    const counterIn = (page: (typeof pages)[number]) =>
      page.frameLocator('iframe[title^="Web view"]').frameLocator('iframe').getByRole('button')
    for (const page of pages) {
      await sandboxIsReady(page)
      await counterIn(page).click()
      await counterIn(page).click()
      await counterIn(page)
        .and(page.frameLocator('iframe[title^="Web view"]').frameLocator('iframe').getByText('Pressed 2'))
        .waitFor()
      const frame = page.frames().find((each) => each.url().endsWith('/panels/sandbox-frame'))
      await frame?.evaluate(noting(1))
    }
    const arranged = async (drawn: string) => {
      await waitUntil(`the layout is ${drawn}`, async () => (await atOne.drawn()) === drawn)
      const { layout } = await atOne.current()
      for (const page of pages)
        await expect.poll(() => leavesIn(page), { timeout: 20_000 }).toEqual(leavesOf(layout))
    }
    await arranged('row(column(Web view* | Code editor*) | Sandbox*)')
    // With the mouse.
    await tabNamed(mine.page, 'Web view').dragTo(panelNamed(mine.page, 'Code editor'))
    await arranged('row(Code editor Web view* | Sandbox*)')
    // With the keyboard.
    await tabNamed(other.page, 'Web view').press('Shift+F10')
    await other.page.getByRole('menuitem', { name: 'Move to the group of Sandbox' }).press('Enter')
    await arranged('row(Code editor* | Sandbox Web view*)')
    // By a script.
    const move = (tabId: string, moveTo: unknown) =>
      atOther.call('PATCH', `:workspace/current/tabs/${tabId}`, { moveTo })
    await move(view.tabId, { panelId: motor.panelId, direction: 'up' })
    await arranged('row(column(Web view* | Code editor*) | Sandbox*)')
    await move(sandbox.tabId, { panelId: motor.panelId })
    await arranged('column(Web view* | Code editor Sandbox*)')
    // Turned over, and back.
    await tabNamed(mine.page, 'Code editor').click()
    await arranged('column(Web view* | Code editor* Sandbox)')
    await tabNamed(other.page, 'Sandbox').click()
    await arranged('column(Web view* | Code editor Sandbox*)')

    for (const page of pages) {
      expect(await counterIn(page).innerText()).toBe('Pressed 2')
      expect(await ranIn(page)).toEqual([1])
    }
    expect(plain.loads()).toBe(2)
  },
)

test.concurrent(
  '[J-78] what the person does while the connection is cut is there afterwards, once',
  PATIENCE,
  async ({ expect }) => {
    const workspace = await bench.make()
    const { atOne } = workspace
    const led = await atOne.add('system-log')
    const motor = await atOne.add('code-editor', { panelId: led.panelId, direction: 'right' })
    await atOne.add('code-editor', { panelId: motor.panelId, displayName: 'IMU', activate: false })
    await using mine = await bench.open(workspace, { node: bench.nodes.one })
    await using cut = await bench.open(workspace, { node: bench.nodes.other, expectedFaults: RECONNECTING })
    const { page, way } = cut
    way.cut()
    await page.getByText('Connection lost. Your changes are kept').waitFor()
    await page.getByText('Reconnecting', { exact: true }).waitFor({ state: 'attached' })
    await tabNamed(page, 'Code editor').dragTo(panelNamed(page, 'System log'))
    await expect.poll(() => leavesIn(page)).toEqual(['IMU*', 'System log, Code editor*'])
    await atOne.call('PATCH', `:workspace/current/tabs/${led.tabId}`, { displayName: 'Lamp' })
    expect(await atOne.drawn()).toBe('row(Lamp* | Code editor* IMU)')
    await waitUntil('it tries again', () => way.refused() > 0)
    way.mend()
    await page.getByRole('banner').getByText('Connected', { exact: true }).waitFor({ state: 'attached' })
    await page.getByText('Connection lost. Your changes are kept').waitFor({ state: 'detached' })
    await waitUntil(
      'both changes are there',
      async () => (await atOne.drawn()) === 'row(Lamp Code editor* | IMU*)',
    )

    // Cut while the answer is under way: what was sent is sent again, and made once.
    await allConfirmed(cut)
    const { version } = await atOne.current()
    const border = page.getByRole('separator')
    const positions = depth({ common: [48], deep: [48, 46, 44] })
    for (const position of positions) {
      const opened = cut.heard('opened').length
      await border.press('ArrowLeft')
      way.cut()
      await page.getByText('Reconnecting', { exact: true }).waitFor({ state: 'attached' })
      way.mend()
      await waitUntil('it is back', () => cut.heard('opened').length > opened, { deadlineMs: 30_000 })
      await page.locator(`[role=separator][aria-valuenow="${position}"]`).waitFor()
    }
    await allConfirmed(cut)
    const { layout, version: end } = await atOne.current()
    expect(end - version).toBe(positions.length)
    for (const each of [mine, cut])
      await expect.poll(() => leavesIn(each.page), { timeout: 20_000 }).toEqual(leavesOf(layout))
    await mine.page.locator(`[role=separator][aria-valuenow="${positions.at(-1)}"]`).waitFor()
  },
)

test.concurrent(
  '[J-79] who signs out elsewhere is told so at once in a page that reconnects',
  PATIENCE,
  async ({ expect }) => {
    const workspace = await bench.make()
    await workspace.atOne.add('code-editor')
    await using returns = await bench.open(workspace, {
      node: bench.nodes.other,
      expectedFaults: RECONNECTING,
    })
    expect(await workspace.atOne.callAsOwner('DELETE', '/auth/sessions')).toMatchObject({ ended: 2 })
    returns.way.cut()
    await returns.page.getByText('Reconnecting', { exact: true }).waitFor({ state: 'attached' })
    await waitUntil('it tries again', () => returns.way.refused() > 0)
    returns.way.mend()
    await isSignedOut(expect, returns.page, workspace.path)
  },
)

deepTest(
  '[J-79] who signs out elsewhere is told so within half a minute in a page that stays connected',
  { ...PATIENCE, concurrent: true },
  async ({ expect }) => {
    const workspace = await bench.make()
    await workspace.atOne.add('code-editor')
    await using stays = await bench.open(workspace, { node: bench.nodes.one })
    expect(await workspace.atOne.callAsOwner('DELETE', '/auth/sessions')).toMatchObject({ ended: 2 })
    await isSignedOut(expect, stays.page, workspace.path)
  },
)

async function isSignedOut(expect: ExpectStatic, page: Page, path: string): Promise<void> {
  await page.getByText('Sign in to open this workspace').waitFor({ timeout: 45_000 })
  const link = page.getByRole('link', { name: 'Sign in' })
  expect(await link.getAttribute('href')).toBe(`/sign-in?return_to=${encodeURIComponent(path)}`)
  expect(await page.getByRole('tab').count()).toBe(0)
}
