import { setTimeout } from 'node:timers/promises'
import { openPage, startChromium } from '@patchbay/testkit/chromium'
import { expect, test } from 'vitest'
import { startPlainPage } from '../workspace-pages/plain-page.ts'
import { panelNamed, useWorkspaces } from '../workspace-pages/workspace.ts'
import { startCamera } from './camera.ts'
import { DISPLAY_SIZE, hasDisplays, startDisplay } from './display.ts'
import { BARS, COLOURS, pictureOf } from './pixels.ts'
import { SHARING_CHROMIUM, startSharing } from './shared-page.ts'

const bench = useWorkspaces()

test.skipIf(!hasDisplays)(
  '[J-68] a picture of the screen is as large as the display, also of a page that is shared; the screen is let go after it',
  async () => {
    const workspace = await bench.make()
    await using colours = await startPlainPage(BARS)
    await workspace.add('webview', { initialState: { url: colours.url } })
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
    await panelNamed(page, 'Web view').first().frameLocator('iframe').locator('i').last().waitFor()
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
    for (const colour of COLOURS) expect(picture.count(colour)).toBeGreaterThan(2_000)
    const states = await page.evaluate(() =>
      (globalThis as unknown as { tracks: MediaStreamTrack[] }).tracks.map(({ readyState }) => readyState),
    )
    expect(states).toEqual(['live', 'ended'])
    expect(await camera.ask(request)).toMatchObject({ status: 504, body: { code: 'sharing_not_enabled' } })
  },
  60_000,
)
