// The pictures of the viewer's pages, taken anew: `node e2e/test/viewer-pages/take-pictures.ts`.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPage, type Page, screenshot, startChromium } from '@patchbay/testkit/chromium'
import { allSaved, earlierPictures, ownPictures } from './bench.ts'
import { choose, copy, paste, pressPaste } from './hands.ts'
import { type LocalModel, startLocalModel } from './model.ts'
import { bomb } from './pictures.ts'
import { boardDrawing, buildLog, oscilloscope, thermalPicture } from './screens.ts'
import { openViewer, type Viewer } from './viewer.ts'

const FOLDER = process.argv[2] ?? fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))
const DESK = { width: 1280, height: 900 }
const LOOKS = [
  { look: 'light', options: { viewport: DESK, colorScheme: 'light' } },
  { look: 'dark', options: { viewport: DESK, colorScheme: 'dark' } },
  {
    look: 'phone',
    options: { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true, isMobile: true },
  },
] as const

/** Leads a page to the state that the picture shows. */
type Scene = (viewer: Viewer, page: Page, model: LocalModel) => Promise<void>

const WIDGET = '/screenshot-paste?title=The+output+ripple+of+the+night+lamp'

/** Pastes a picture and waits until it has this name. */
async function pasteNamed(page: Page, model: LocalModel, picture: Buffer, name: string): Promise<void> {
  model.answer(name)
  await paste(page, picture)
  await page.getByRole('heading', { name, exact: true }).waitFor()
}

/** A line on which somebody can see how much was sent. */
async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 100_000,
  })
}

/** The folder of a test is nowhere where a project would be. */
async function liveAtHome(page: Page): Promise<void> {
  await page.route('**/api/viewer', async (route) => {
    const response = await route.fetch()
    const project = '/home/ada/night-lamp'
    const json = { ...(await response.json()), project, folder: `${project}/screenshots/sp` } as unknown
    await route.fulfill({ response, json })
  })
}

const SCENES: Record<string, Scene> = {
  idle: async (viewer, page, model) => {
    await page.goto(`${viewer.url}/screenshot-paste`)
    await pasteNamed(page, model, await boardDrawing(), 'night-lamp-board')
    await pasteNamed(page, model, await oscilloscope(), 'output-ripple')
    await page.goto(viewer.url)
    await earlierPictures(page).nth(1).waitFor()
    await page.getByText('Widgets open in this page.').waitFor()
  },
  empty: async (viewer, page) => {
    await page.goto(viewer.url + WIDGET)
    await page.getByText('Nothing has been pasted yet.').waitFor()
  },
  pastes: async (viewer, page, model) => {
    await page.goto(`${viewer.url}/screenshot-paste`)
    await pasteNamed(page, model, await buildLog(), 'build-log')
    await page.goto(viewer.url + WIDGET)
    await pasteNamed(page, model, await oscilloscope(), 'output-ripple')
    await paste(page, await boardDrawing())
    await allSaved(page, 2)
    await slowDown(page)
    await choose(page, [{ name: 'thermal.png', bytes: await thermalPicture() }])
    await ownPictures(page)
      .first()
      .getByText(/^[4-7]\d%$/)
      .waitFor()
  },
  refused: async (viewer, page) => {
    await page.goto(viewer.url + WIDGET)
    await choose(page, [
      { name: 'ripple.png', bytes: (await oscilloscope()).subarray(0, 9_000) },
      { name: 'poster.png', bytes: bomb() },
    ])
    await ownPictures(page).getByText('The image was rejected').nth(1).waitFor()
    await copy(page, { text: 'words' })
    await pressPaste(page)
    await page.getByText('The clipboard holds text').waitFor()
  },
}

await using browser = await startChromium()
for (const { look, options } of LOOKS) {
  for (const [name, scene] of Object.entries(SCENES)) {
    await using model = await startLocalModel()
    await using viewer = await openViewer({ environment: model.environment })
    const { page } = await openPage(browser, { ...options, reducedMotion: 'reduce', timezoneId: 'UTC' })
    await liveAtHome(page)
    await scene(viewer, page, model)
    // What has the focus, and where the pointer is, is nobody's business here.
    await page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      scrollTo(0, 0)
    })
    await page.evaluate(() => Promise.all(Array.from(document.images, (image) => image.decode())))
    // All of a long page, without the tool's own way to do that, after which it is no phone anymore.
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    if (look === 'phone') await page.setViewportSize({ width: options.viewport.width, height })
    await screenshot(page, join(FOLDER, `viewer-${name}-${look}.png`))
    await page.context().close()
  }
}
