import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { complaints } from '@patchbay/web/test/complaints'
import { stepBoxes } from '@patchbay/web/test/step-boxes'
import { expect } from 'vitest'
import { shows } from '../identity-pages/bench.ts'
import { startPlainPage } from '../workspace-pages/plain-page.ts'
import { panelNamed, tabNamed, useWorkspaces } from '../workspace-pages/workspace.ts'
import { type Agent, startAgent } from './agent.ts'
import { boardModel } from './board-model.ts'
import { startLoopbackSite } from './loopback-site.ts'
import { PROXY_SETTINGS } from './proxy-settings.ts'
import { stepCase } from './step-case.ts'
import { tolerating } from './tolerating.ts'

const bench = useWorkspaces({
  environment: PROXY_SETTINGS,
  chromium: { args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'] },
})
// Reading back what software has drawn is slow, and the browser says so now and then.
const SLOW_READING = /GPU stall due to ReadPixels/
// The checker asks foreign frames whether it is in them as well.
const CHECKER = /Failed to execute 'postMessage' on 'DOMWindow'/

test('[J-52] a person sees who acts and why, ends that access, and gives it back', async () => {
  const workspace = await bench.make()
  const view = await workspace.add('webview')
  const box = await workspace.add('sandbox', { panelId: view.panelId, direction: 'right' })
  const agent = await startAgent(bench, workspace, { name: 'Build agent' })
  const other = await startAgent(bench, workspace, { name: 'Quiet agent' })
  const acts = [
    (by: Agent) => by.webview({ panelId: view.panelId, action: 'refresh', reason: 'the build is done' }),
    (by: Agent) =>
      by.sandbox({ panelId: box.panelId, action: 'eval', code: '1', reason: 'to count the parts' }),
    (by: Agent) => by.screenshot({ scope: 'workspace', reason: 'to show you', timeoutMs: 2_000 }),
  ] as const
  await using visit = await bench.open(workspace)
  const { page } = visit
  await panelNamed(page, 'Sandbox').getByText('Ready').waitFor()
  const whySeen = (tab: string, words: string) =>
    tabNamed(page, tab).getByText(`Build agent: ${words}`).getAttribute('title')

  expect((await acts[0](agent)).status).toBe(204)
  expect(await whySeen('Web view', 'reloaded the page')).toBe('the build is done')
  expect((await acts[1](agent)).status).toBe(200)
  expect(await whySeen('Sandbox', 'ran code')).toBe('to count the parts')
  expect((await acts[2](agent)).status).toBe(504)
  await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click()
  await page.getByRole('button', { name: 'Agents' }).click()
  const done = page.getByRole('list', { name: 'Activity' })
  for (const reason of ['the build is done', 'to count the parts', 'to show you'])
    await done.getByText(`“${reason}”`).first().waitFor()

  await page.getByRole('button', { name: 'End access: Build agent' }).click()
  await page.getByRole('button', { name: 'Give back: Build agent' }).waitFor()
  for (const act of acts)
    expect(await act(agent)).toMatchObject({ status: 403, body: { code: 'access_ended' } })
  expect(await agent.ask('GET', ':workspace/current')).toMatchObject({ status: 403 })
  expect(await other.webview({ panelId: view.panelId, action: 'refresh' })).toMatchObject({ status: 204 })

  await page.getByRole('button', { name: 'Give back: Build agent' }).click()
  await page.getByRole('button', { name: 'End access: Build agent' }).waitFor()
  expect([(await acts[0](agent)).status, (await acts[1](agent)).status]).toEqual([204, 200])
})

test('[J-53] a second 3D viewer is refused in the picker, over HTTP and in an import', async () => {
  const workspace = await bench.make()
  const agent = await startAgent(bench, workspace)
  await using visit = tolerating(await bench.open(workspace), SLOW_READING)
  const { page } = visit
  const choose = async () => {
    await page.getByRole('button', { name: 'Add panel', exact: true }).click()
    return page.getByRole('dialog').getByRole('button', { name: /^3D viewer/ })
  }
  await (await choose()).click()
  await tabNamed(page, '3D viewer').waitFor()
  const second = await choose()
  await second.filter({ hasText: 'Already open; only one is allowed' }).waitFor()
  expect(await second.isDisabled()).toBe(true)
  await page.keyboard.press('Escape')

  // The page shows it before the server has it.
  await expect.poll(() => workspace.drawn()).toBe('3D viewer*')
  const stored = await workspace.current()
  const [{ panelId } = { panelId: '' }] = stored.tabs
  const { root } = stored.layout
  if (root.type !== 'leaf') throw new Error('one leaf was expected')
  const twin = { ...root.tabs[0], id: crypto.randomUUID() }
  const answers = [
    await agent.ask('POST', ':workspace/current/tabs', { panelType: 'viewer-3d' }),
    await agent.ask('POST', ':workspace/current/splits', {
      panelType: 'viewer-3d',
      panelId,
      direction: 'right',
    }),
    await agent.ask('PUT', ':workspace/current', {
      version: stored.version,
      layout: { root: { ...root, tabs: [...root.tabs, twin] } },
    }),
  ]
  for (const { status, body } of answers)
    expect([status, body]).toMatchObject([409, { code: 'singleton_exists' }])
  expect(await workspace.drawn()).toBe('3D viewer*')
  expect(await tabNamed(page, '3D viewer').count()).toBe(1)

  await tabNamed(page, '3D viewer').press('Delete')
  await page.getByRole('button', { name: 'Add the first panel' }).waitFor()
  await expect.poll(() => workspace.drawn()).toBe('')
  expect((await agent.ask('POST', ':workspace/current/tabs', { panelType: 'viewer-3d' })).status).toBe(201)
  expect(await shows(tabNamed(page, '3D viewer'))).toBe(true)
})

test('[J-54] a workspace full of working panels is for everyone, in both themes', async () => {
  await using plain = await startPlainPage('<h1>Lamp</h1>')
  await using models = await startLoopbackSite((_request, response) => response.end(boardModel()))
  const workspace = await bench.make()
  const { panelId } = await workspace.add('webview', { initialState: { url: plain.url } })
  const box = await workspace.add('sandbox', { panelId, direction: 'right' })
  await workspace.add('code-editor', { panelId, direction: 'down', initialState: { text: 'let lamp = 1' } })
  await workspace.add('script-runner', { panelId: box.panelId, direction: 'down' })
  await workspace.add('system-log', { panelId: box.panelId, direction: 'right' })
  await workspace.add('viewer-3d', { direction: 'down', initialState: { url: `${models.url}board.gltf` } })
  await using visit = tolerating(
    await bench.open(workspace, { colorScheme: 'light', reducedMotion: 'reduce' }),
    new RegExp(`${SLOW_READING.source}|${CHECKER.source}`),
  )
  const { page } = visit
  await page.frameLocator('iframe').first().frameLocator('iframe').getByText('Lamp').waitFor()
  await panelNamed(page, 'Sandbox').getByText('Ready').waitFor()
  await panelNamed(page, '3D viewer').getByText('board.gltf · 132 triangles · 42 × 6 × 42.5 mm').waitFor()
  const within = '#root, [data-overlay]'
  expect(await complaints(page, { within })).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await complaints(page, { within, contrastOnly: true })).toEqual([])
})

deepTest(
  '[W-640][W-646][W-650] a STEP file is shown by a real server, what is hidden of it is told, and what replaces it is seen',
  async () => {
    const workspace = await bench.make()
    await workspace.write('cad/case.step', stepCase())
    await workspace.add('viewer-3d', { initialState: { path: 'cad/case.step' } })
    await using visit = tolerating(await bench.open(workspace), SLOW_READING)
    const viewer = panelNamed(visit.page, '3D viewer')
    await viewer.getByText(/^case\.step · 132 triangles · 80 × 56 × 24 mm/).waitFor()
    await viewer.getByRole('button', { name: 'Parts', exact: true }).click()
    await viewer.getByRole('treeitem', { name: 'Front wall' }).click()
    await viewer.getByRole('button', { name: 'Hide', exact: true }).click()
    const states = async () => (await workspace.current()).tabs.map(({ state }) => state)
    await expect.poll(states).toEqual([{ path: 'cad/case.step', hidden: ['Front wall'] }])
    const plate = stepBoxes([{ name: 'Plate', size: [80, 2, 22] }])
    await workspace.write('cad/case.step', new Uint8Array(plate))
    await viewer.getByText(/^case\.step · 12 triangles · 80 × 2 × 22 mm/).waitFor()
  },
)
