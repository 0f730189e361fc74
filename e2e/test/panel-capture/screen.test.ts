import { setTimeout } from 'node:timers/promises'
import { openPage, type Page, startChromium } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { startPlainPage } from '../workspace-pages/plain-page.ts'
import { panelNamed } from '../workspace-pages/workspace.ts'
import { startCamera } from './camera.ts'
import { DISPLAY_SIZE, hasDisplays, startDisplay } from './display.ts'
import { BARS, COLORS, distance, pictureOf } from './pixels.ts'
import { chooseSharing, isShared, SHARING_CHROMIUM, startSharing, useCaptures } from './shared-page.ts'

const bench = useCaptures()

test('[J-68] a picture of the screen is asked for apart, also where the page is shared; the screen is let go after it', async () => {
  const workspace = await bench.make()
  await workspace.add('code-editor')
  const camera = await startCamera(bench, workspace)
  await using visit = await bench.openShared(workspace)
  const { page } = visit
  await drawScreen(page)
  const request = { scope: 'screen', reason: 'to see the windows' }
  expect(await camera.ask(request)).toMatchObject({ status: 504, body: { code: 'sharing_not_enabled' } })
  const dialog = page.getByRole('dialog', { name: 'Share for screenshots?' })
  await dialog.getByText('your whole screen').waitFor()
  await dialog.getByRole('button', { name: 'Share' }).click()
  await dialog.waitFor({ state: 'detached' })
  const taken = await camera.take(request)
  expect(taken).toMatchObject({ scope: 'screen', engine: 'display', panelId: null, ...DISPLAY_SIZE })
  const picture = pictureOf((await camera.fetch(taken.url)).bytes)
  expect({ width: picture.width, height: picture.height }).toEqual(DISPLAY_SIZE)
  expect(distance(picture.at(DISPLAY_SIZE.width / 2, DISPLAY_SIZE.height / 2), [0, 170, 0])).toBeLessThan(10)
  const states = await page.evaluate(() =>
    (globalThis as unknown as { tracks: MediaStreamTrack[] }).tracks.map(({ readyState }) => readyState),
  )
  expect(states).toEqual(['ended'])
  expect(await camera.ask(request)).toMatchObject({ status: 504, body: { code: 'sharing_not_enabled' } })
})

test('[W-450] C5: a screen that is shared from the bar is captured for everybody, again and again, until the person stops it', async () => {
  const workspace = await bench.make()
  await workspace.add('code-editor')
  const [camera, other] = [
    await startCamera(bench, workspace),
    await startCamera(bench, workspace, { name: 'Second camera' }),
  ]
  await using visit = await bench.open(workspace, { viewport: { width: 900, height: 600 } })
  const { page } = visit
  await drawScreen(page)
  await chooseSharing(page, 'Share the whole screen')
  await isShared(page, 'screen')
  for (const asking of [camera, other, camera])
    expect(await asking.take({ scope: 'screen' })).toMatchObject({ engine: 'display', ...DISPLAY_SIZE })
  expect(await page.getByRole('dialog').count()).toBe(0)
  await chooseSharing(page, 'Stop sharing the whole screen')
  await isShared(page, 'off')
  const refused = await camera.ask({ scope: 'screen' })
  expect(refused).toMatchObject({ status: 504, body: { code: 'sharing_not_enabled' } })
  expect((refused.body as { detail: string }).detail).toContain('Share the whole screen')
})

deepTest.skipIf(!hasDisplays)(
  '[J-68] a picture of the screen is as large as the display, also of a page that is shared; the screen is let go after it',
  async () => {
    const workspace = await bench.make()
    await using colors = await startPlainPage(BARS)
    await workspace.add('webview', { initialState: { url: colors.url } })
    const camera = await startCamera(bench, workspace)
    await using _display = await startDisplay()
    await using browser = await startChromium({
      ...SHARING_CHROMIUM,
      headless: false,
      args: [...SHARING_CHROMIUM.args, '--auto-select-desktop-capture-source=Entire screen'],
    })
    await using visit = await openPage(browser, { viewport: null })
    await bench.openIn(visit, workspace)
    const { page } = visit
    await page.evaluate(() => {
      const { mediaDevices } = navigator
      const ask = mediaDevices.getDisplayMedia.bind(mediaDevices)
      const tracks: MediaStreamTrack[] = []
      Object.assign(globalThis, { tracks })
      mediaDevices.getDisplayMedia = async (options) => {
        const stream = await ask(options)
        tracks.push(...stream.getTracks())
        return stream
      }
    })
    await panelNamed(page, 'Web view')
      .first()
      .frameLocator('iframe')
      .frameLocator('iframe')
      .locator('i')
      .last()
      .waitFor()
    await startSharing(page)
    const dialog = page.getByRole('dialog', { name: 'Share for screenshots?' })
    const request = { scope: 'screen', reason: 'to see the windows' }
    const refused = await camera.ask(request)
    expect(refused).toMatchObject({ status: 504, body: { code: 'sharing_not_enabled' } })
    await dialog.getByText('your whole screen').waitFor()
    await dialog.getByRole('button', { name: 'Share' }).click()
    await dialog.waitFor({ state: 'detached' })
    // As an agent does; a display of its own takes some time to show what the page shows.
    await setTimeout(Number(refused.headers.get('retry-after')) * 1_000)

    const taken = await camera.take(request)
    expect(taken).toMatchObject({
      scope: 'screen',
      engine: 'display',
      panelId: null,
      scale: 1,
      ...DISPLAY_SIZE,
    })
    const picture = pictureOf((await camera.fetch(taken.url)).bytes)
    expect({ width: picture.width, height: picture.height }).toEqual(DISPLAY_SIZE)
    for (const color of COLORS) expect(picture.count(color)).toBeGreaterThan(2_000)
    const states = await page.evaluate(() =>
      (globalThis as unknown as { tracks: MediaStreamTrack[] }).tracks.map(({ readyState }) => readyState),
    )
    expect(states).toEqual(['live', 'ended'])
    expect(await camera.ask(request)).toMatchObject({ status: 504, body: { code: 'sharing_not_enabled' } })
  },
  60_000,
)

/** Instead of a display, which takes seconds to start, something that is drawn in the page. */
async function drawScreen(page: Page): Promise<void> {
  await page.evaluate(({ width, height }) => {
    const canvas = Object.assign(document.createElement('canvas'), { width, height })
    const context = canvas.getContext('2d')
    const tracks: MediaStreamTrack[] = []
    Object.assign(globalThis, { tracks })
    navigator.mediaDevices.getDisplayMedia = () => {
      const stream = canvas.captureStream(30)
      for (const track of stream.getVideoTracks()) {
        const settings = track.getSettings()
        track.getSettings = () => ({ ...settings, width, height, displaySurface: 'monitor' })
        tracks.push(track)
      }
      // A frame comes only when something is drawn.
      setInterval(() => {
        if (context === null) return
        context.fillStyle = 'rgb(0, 170, 0)'
        context.fillRect(0, 0, width, height)
      }, 20)
      return Promise.resolve(stream)
    }
  }, DISPLAY_SIZE)
}
