import { openPage, type Page, startChromium } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect, vi } from 'vitest'
import { startPlainPage } from '../workspace-pages/plain-page.ts'
import { panelNamed, tabNamed } from '../workspace-pages/workspace.ts'
import { type Camera, startCamera } from './camera.ts'
import { BARS, COLORS, type Color, type Picture, pictureOf, worstBar } from './pixels.ts'
import { SHARING_CHROMIUM, startSharing, useCaptures } from './shared-page.ts'

// The first pictures of a browser that has just started come late on a busy machine.
vi.setConfig({ testTimeout: 180_000 })
const bench = useCaptures()
const MAGENTA: Color = [255, 0, 255]

const load = async (camera: Camera, { url }: { readonly url: string }): Promise<Picture> =>
  pictureOf((await camera.fetch(url)).bytes)

async function boxOf(page: Page, name: string) {
  const box = await panelNamed(page, name).first().boundingBox()
  if (box === null) throw new Error(`no panel ${name}`)
  return box
}

/** A border between two pixels belongs to either. */
function expectSize(
  { width, height }: Picture,
  box: { readonly width: number; readonly height: number } | null,
  scale: number,
): void {
  expect(Math.abs(width - (box?.width ?? 0) * scale)).toBeLessThanOrEqual(1)
  expect(Math.abs(height - (box?.height ?? 0) * scale)).toBeLessThanOrEqual(1)
}

/** Where the page in a web view begins, from the corner of its panel. */
async function frameIn(page: Page, name: string): Promise<{ x: number; y: number }> {
  const [panel, frame] = [
    await boxOf(page, name),
    await panelNamed(page, name).locator('iframe').boundingBox(),
  ]
  return { x: (frame?.x ?? 0) - panel.x, y: (frame?.y ?? 0) - panel.y }
}

test('[J-62] a panel is captured by its panel id, its tab id or both, in its size; what does not fit together is refused', async () => {
  const workspace = await bench.make()
  const { panelId, tabId } = await workspace.add('code-editor')
  const other = await workspace.add('system-log', { panelId, direction: 'right' })
  const camera = await startCamera(bench, workspace)
  await using visit = await bench.openShared(workspace)
  const box = await boxOf(visit.page, 'Code editor')
  for (const named of [{ panelId }, { tabId }, { panelId, tabId }]) {
    const taken = await camera.take({ scope: 'panel', ...named })
    expect(taken).toMatchObject({
      scope: 'panel',
      method: 'element-capture',
      engine: 'restriction-target',
      panelId,
      tabId,
      wasActivated: false,
    })
    const picture = await load(camera, taken)
    expect([picture.width, picture.height]).toEqual([taken.width, taken.height])
    expectSize(picture, box, taken.scale)
  }
  const nobody = '0b8f6c1e-4a57-4c8e-9a3d-1f2e3d4c5b6a'
  for (const { request, answer } of [
    { request: { panelId, tabId: other.tabId }, answer: '409 panel_mismatch' },
    { request: {}, answer: '400 invalid_request' },
    { request: { panelId: nobody }, answer: '404 panel_not_found' },
    { request: { tabId: nobody }, answer: '404 panel_not_found' },
  ]) {
    const { status, body } = await camera.ask({ scope: 'panel', ...request })
    expect(`${status} ${(body as { code: string }).code}`).toBe(answer)
  }
})

deepTest('[J-62] on a display with two pixels for each of the page the picture has them', async () => {
  const workspace = await bench.make()
  const { panelId } = await workspace.add('code-editor')
  const camera = await startCamera(bench, workspace)
  const args = [...SHARING_CHROMIUM.args, '--force-device-scale-factor=2', '--window-size=900,700']
  await using dense = await startChromium({ ...SHARING_CHROMIUM, args })
  await using visit = await openPage(dense, { viewport: null })
  await bench.openIn(visit, workspace)
  await startSharing(visit.page)
  const taken = await camera.take({ scope: 'panel', panelId })
  expect(taken.scale).toBe(2)
  expectSize(await load(camera, taken), await boxOf(visit.page, 'Code editor'), 2)
})

test('[J-63] the picture holds the page of another origin in its colors, and nothing of what lies over the panel', async () => {
  await using colors = await startPlainPage(BARS)
  const workspace = await bench.make()
  const { panelId } = await workspace.add('webview', { initialState: { url: colors.url } })
  const camera = await startCamera(bench, workspace)
  await using visit = await bench.openShared(workspace)
  const { page } = visit
  await panelNamed(page, 'Web view')
    .frameLocator('iframe')
    .frameLocator('iframe')
    .locator('i')
    .last()
    .waitFor()
  const at = await frameIn(page, 'Web view')
  const box = await boxOf(page, 'Web view')
  await page.evaluate(() => {
    const cover = document.createElement('div')
    cover.style.cssText =
      'position:fixed;z-index:99;inset:90px 100px 100px 20px;background:rgb(255,0,255);pointer-events:none'
    document.body.append(cover)
  })
  expect(pictureOf(await page.screenshot()).count(MAGENTA)).toBeGreaterThan(100_000)
  const covered = await camera.take({ scope: 'panel', panelId })
  const picture = await load(camera, covered)
  expectSize(picture, box, covered.scale)
  expect(worstBar(picture, at, covered.scale)).toBeLessThanOrEqual(4)
  expect(picture.count(MAGENTA)).toBe(0)

  await page.getByRole('button', { name: 'Add panel' }).first().click()
  await page.getByRole('dialog').waitFor()
  const behind = await load(camera, await camera.take({ scope: 'panel', panelId }))
  expect(worstBar(behind, at, covered.scale)).toBeLessThanOrEqual(4)
  expect(behind.count(MAGENTA)).toBe(0)
  await page.getByRole('dialog').waitFor()
})

test('[J-64] a tab in the background is brought to the front for its picture and put back; what is stored stays as it is', async () => {
  await using colors = await startPlainPage(BARS)
  const workspace = await bench.make()
  const { panelId, tabId } = await workspace.add('webview', { initialState: { url: colors.url } })
  await workspace.add('code-editor', { panelId })
  const camera = await startCamera(bench, workspace)
  await using visit = await bench.openShared(workspace)
  const { page } = visit
  const behind = () => page.frames().find((frame) => frame.url() === new URL(colors.url).href)
  await expect.poll(async () => await behind()?.locator('i').count()).toBe(COLORS.length)
  const before = await workspace.current()
  const taken = await camera.take({ scope: 'panel', tabId })
  expect(taken).toMatchObject({ panelId, tabId, wasActivated: true })
  expect(await tabNamed(page, 'Code editor').getAttribute('aria-selected')).toBe('true')
  expect(await tabNamed(page, 'Web view').getAttribute('aria-selected')).toBe('false')
  const { layout, version } = await workspace.current()
  expect({ layout, version }).toEqual({ layout: before.layout, version: before.version })
  expect(colors.loads()).toBe(1)
  const picture = await load(camera, taken)
  await tabNamed(page, 'Web view').click()
  await panelNamed(page, 'Web view').locator('iframe').waitFor()
  expect(worstBar(picture, await frameIn(page, 'Web view'), taken.scale)).toBeLessThanOrEqual(4)
})

test('[J-65] a picture of the workspace shows all panels side by side', async () => {
  await using colors = await startPlainPage(BARS)
  const workspace = await bench.make()
  const { panelId } = await workspace.add('webview', { initialState: { url: colors.url } })
  const sandbox = await workspace.add('sandbox', { panelId, direction: 'right' })
  const camera = await startCamera(bench, workspace)
  await using visit = await bench.openShared(workspace)
  const { page } = visit
  await panelNamed(page, 'Web view')
    .frameLocator('iframe')
    .frameLocator('iframe')
    .locator('i')
    .last()
    .waitFor()
  await panelNamed(page, 'Sandbox').getByText('Ready').waitFor()
  await workspace.call('PATCH', '/api/panels/sandbox/:ref', {
    panelId: sandbox.panelId,
    action: 'eval',
    code: `document.body.innerHTML = ${JSON.stringify(BARS)}`,
  })
  await sandboxIn(page).locator('i').last().waitFor()
  const taken = await camera.take({ scope: 'workspace' })
  expect(taken).toMatchObject({ scope: 'workspace', panelId: null, tabId: null, wasActivated: false })
  const picture = await load(camera, taken)
  const dock = await page.locator('main').boundingBox()
  expectSize(picture, dock, taken.scale)
  for (const name of ['Web view', 'Sandbox']) {
    const frame = await panelNamed(page, name).locator('iframe').boundingBox()
    const at = { x: (frame?.x ?? 0) - (dock?.x ?? 0), y: (frame?.y ?? 0) - (dock?.y ?? 0) }
    expect(worstBar(picture, at, taken.scale)).toBeLessThanOrEqual(4)
  }
  expect(await camera.ask({ scope: 'workspace', panelId })).toMatchObject({ status: 400 })
  expect(await camera.ask({ scope: 'workspace', method: 'html2canvas' })).toMatchObject({ status: 400 })
})

test('[J-66] html2canvas shows what a sandbox panel shows without anything being shared, and is refused for other panels', async () => {
  const workspace = await bench.make()
  const { panelId, tabId } = await workspace.add('sandbox')
  const other = await workspace.add('code-editor', { panelId, direction: 'right' })
  const camera = await startCamera(bench, workspace)
  await using visit = await bench.open(workspace)
  const { page } = visit
  await panelNamed(page, 'Sandbox').getByText('Ready').waitFor()
  await workspace.call('PATCH', '/api/panels/sandbox/:ref', {
    panelId,
    action: 'eval',
    code: `document.body.innerHTML = ${JSON.stringify(BARS)}`,
  })
  await sandboxIn(page).locator('i').last().waitFor()
  const method = 'html2canvas'
  const taken = await camera.take({ scope: 'panel', panelId, method })
  expect(taken).toMatchObject({ method, engine: 'snapdom', panelId, tabId, wasActivated: false })
  const picture = await load(camera, taken)
  const frame = await panelNamed(page, 'Sandbox').locator('iframe').boundingBox()
  expectSize(picture, frame, taken.scale)
  expect(worstBar(picture, { x: 0, y: 0 }, taken.scale)).toBeLessThanOrEqual(4)
  expect(await page.getByRole('dialog').count()).toBe(0)
  const refused = await camera.ask({ scope: 'panel', panelId: other.panelId, method })
  expect(refused).toMatchObject({ status: 409, body: { code: 'panel_mismatch' } })

  await workspace.add('system-log', { panelId })
  await tabNamed(page, 'System log').waitFor()
  const behind = await camera.take({ scope: 'panel', tabId, method })
  expect([behind.width, behind.height]).toEqual([taken.width, taken.height])
  expect(worstBar(await load(camera, behind), { x: 0, y: 0 }, behind.scale)).toBeLessThanOrEqual(4)
})

/** The document in which code runs: a frame in the frame of the panel. */
const sandboxIn = (page: Page) => panelNamed(page, 'Sandbox').frameLocator('iframe').frameLocator('iframe')
