import { type Locator, openPage, type Page, sharedChromium } from '@patchbay/testkit/chromium'
import { deepTest, sample } from '@patchbay/testkit/depth'
import { freePort } from '@patchbay/testkit/ports'
import { beforeAll, expect, test } from 'vitest'
import { CAMERA_ARGS, recordVideo, serveHls, serveMjpeg, serveVideo } from './media-servers.ts'
import { type PanelVisit, soon, usePanelBench } from './panel-bench.ts'
import { html, serveForeign } from './sites.ts'

const panels = usePanelBench({
  args: CAMERA_ARGS,
  mediaOrigins: ['http://127.0.0.1:*'],
  // Of servers that refuse, are gone, or let no page read them.
  tolerated: /Failed to load resource|blocked by CORS policy/,
})

/** Twelve seconds, recorded once. */
let video: Buffer
beforeAll(async () => {
  const browser = await sharedChromium({ args: CAMERA_ARGS })
  await using watched = await openPage(browser)
  video = await recordVideo(watched.page, 12)
}, 60_000)

const show = (state: Record<string, unknown>, more: object = {}) =>
  panels.show({ kind: 'live-stream', state, ...more })
const shows = async (part: Locator) => await part.waitFor(soon).then(() => true)
const status = ({ page }: PanelVisit, text: string) => page.getByRole('status').filter({ hasText: text })
const bar = ({ page }: PanelVisit) => page.getByRole('status').locator('xpath=..')

/** What plays HLS: the browser of these tests knows it, and others do not. */
const PLAYERS = ['library', 'browser'] as const
async function playWith(player: (typeof PLAYERS)[number], page: Page): Promise<void> {
  if (player === 'browser') return
  await page.evaluate(() => {
    HTMLMediaElement.prototype.canPlayType = () => ''
  })
}

deepTest('[W-750] an MJPEG stream plays, told by its address, with its size and rate', async () => {
  await using camera = await serveMjpeg()
  await using visit = await show({ url: camera.stream })
  await status(visit, 'Live').waitFor(soon)
  await bar(visit)
    .getByText(/MJPEG · 640 × 360 · ([4-9]|1\d) fps/)
    .waitFor(soon)
  const canvas = visit.page.locator('canvas')
  await expect
    .poll(() => canvas.evaluate((element: HTMLCanvasElement) => [element.width, element.height]), soon)
    .toEqual([640, 360])
})

deepTest('[W-750] or by the type of its answer, also where its pictures come without lengths', async () => {
  await using camera = await serveMjpeg({ path: '/camera/1', hasLengths: false })
  await using visit = await show({ url: camera.stream })
  expect(await shows(status(visit, 'Live'))).toBe(true)
  await bar(visit)
    .getByText(/MJPEG · 640 × 360/)
    .waitFor(soon)
})

deepTest(
  '[W-753] a stream that pages may not read is shown, and it says that it cannot be checked',
  async () => {
    await using camera = await serveMjpeg({ isReadable: false, path: '/camera/1' })
    await using visit = await show({ url: camera.stream })
    await status(visit, 'Showing').waitFor(soon)
    await visit.page.getByText('a picture that stands still is not noticed').waitFor()
    const width = () => visit.page.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)
    await expect.poll(width, soon).toBe(640)
  },
)

deepTest('[W-752] a camera that stops is not live, and comes back by itself', async () => {
  await using camera = await serveMjpeg()
  await using visit = await show({ url: camera.stream })
  await status(visit, 'Live').waitFor(soon)
  camera.setPassing(false)
  await status(visit, 'Waiting for the next picture').waitFor(soon)
  expect(await visit.page.locator('[data-moving]').getAttribute('data-moving')).toBe('false')
  camera.setPassing(true)
  await status(visit, 'Live').waitFor(soon)
  camera.cut()
  await visit.page.getByRole('heading', { name: 'No signal' }).waitFor(soon)
  await visit.page.getByText('The server ended the stream.').waitFor()
  await status(visit, 'Live').waitFor(soon)
})

deepTest('[W-752] a server that comes up later is found', async () => {
  const port = await freePort()
  await using visit = await show({ url: `http://127.0.0.1:${port}/stream.mjpg` })
  await visit.page.getByText(`Nothing answers at 127.0.0.1:${port}`).waitFor(soon)
  await using _camera = await serveMjpeg({ port })
  expect(await shows(status(visit, 'Live'))).toBe(true)
})

test.for(sample(PLAYERS))('[W-751] an HLS stream plays with the %s', async (player) => {
  await using hls = await serveHls(video)
  await using visit = await panels.show({ kind: 'live-stream' }, { isAlone: true })
  const { page } = visit
  const knows = await page.evaluate(() =>
    document.createElement('video').canPlayType('application/vnd.apple.mpegurl'),
  )
  await playWith(player, page)
  const scripts = () =>
    page.evaluate(
      () =>
        performance.getEntriesByType('resource').filter(({ name }) => /\/hls[\w.-]*\.js$/.test(name)).length,
    )
  await visit.patch({ url: hls.playlist })
  await status(visit, 'Live').waitFor(soon)
  await bar(visit)
    .getByText(/HLS · 640 × 360/)
    .waitFor(soon)
  // The library is fetched where the browser does not know HLS, and nowhere else.
  expect(await scripts()).toBe(player === 'library' || knows === '' ? 1 : 0)
})

deepTest('[W-752] an HLS server that fails is told with its status, and tried again', async () => {
  await using hls = await serveHls(video)
  hls.setBroken(503)
  await using visit = await show({ url: hls.playlist })
  await visit.page.getByText('The server refused it (HTTP 503).').waitFor(soon)
  hls.setBroken(undefined)
  expect(await shows(status(visit, 'Live'))).toBe(true)
})

test.for(sample(PLAYERS))('[W-759] whoever is late goes back to live, with the %s', async (player) => {
  await using hls = await serveHls(video, { isEndless: true })
  await using visit = await panels.show({ kind: 'live-stream' }, { isAlone: true })
  const { page } = visit
  await playWith(player, page)
  await visit.patch({ url: hls.playlist })
  await status(visit, 'Live').waitFor(soon)
  if (player === 'library')
    await bar(visit)
      .getByText(/\d s behind/)
      .waitFor(soon)
  await page.locator('video').evaluate((element: HTMLVideoElement) => element.pause())
  const button = page.getByRole('button', { name: 'Go to live' })
  await status(visit, 'Waiting for the next picture').waitFor(soon)
  await page.locator('video').evaluate((element: HTMLVideoElement) => element.play())
  await button.click(soon)
  await button.waitFor({ state: 'detached', ...soon })
  expect(await shows(status(visit, 'Live'))).toBe(true)
})

deepTest('[W-750] a video plays to its end, and again', async () => {
  await using file = await serveVideo(video)
  await using visit = await show({ url: `${file.url}/video` })
  await status(visit, 'Playing').waitFor(soon)
  await visit.page.locator('video').evaluate((element: HTMLVideoElement) => {
    element.playbackRate = 8
  })
  await visit.page.getByRole('heading', { name: 'Ended' }).waitFor(soon)
  await visit.page.getByRole('button', { name: 'Play again' }).click()
  expect(await shows(status(visit, 'Playing'))).toBe(true)
})

test.for([
  ['a web page', { 'content-type': 'text/html' }, html('Camera'), 'This is a web page, not a stream.'],
  ['a picture', { 'content-type': 'image/jpeg' }, 'x', 'This is a single picture, not a stream.'],
  ['a video that is none', { 'content-type': 'video/mp4' }, 'x'.repeat(5_000), 'cannot play the format'],
] as const)('[W-753] %s is told and not tried again', async ([, headers, body, told]) => {
  await using foreign = await serveForeign((_, response) => {
    response.writeHead(200, { 'access-control-allow-origin': '*', ...headers }).end(body)
  })
  await using visit = await show({ url: `${foreign.url}/camera` })
  await visit.page.getByRole('heading', { name: 'Cannot play' }).waitFor(soon)
  await visit.page.getByText(told).waitFor()
  expect(await shows(visit.page.getByRole('button', { name: 'Try again' }))).toBe(true)
})

deepTest('[W-750] what it is can be chosen', async () => {
  await using camera = await serveMjpeg({ path: '/camera.mp4' })
  await using visit = await show({ url: camera.stream })
  await status(visit, 'Connecting').waitFor(soon)
  await visit.page.getByRole('button', { name: /Kind of stream/ }).click()
  await visit.page.getByRole('option', { name: 'MJPEG' }).click()
  await status(visit, 'Live').waitFor(soon)
  expect(await visit.stored()).toEqual([{ kind: 'mjpeg' }])
})

test('[W-757] an address that the operator does not allow is told by name, and nothing is asked there', async () => {
  await using camera = await serveMjpeg()
  const url = camera.stream.replace('127.0.0.1', 'localhost')
  for (const kind of ['mjpeg', 'video', 'auto'] as const) {
    await using visit = await panels.show(
      { kind: 'live-stream', state: { url, kind } },
      { alsoTolerated: /Content Security Policy|CSP violation: (?:connect|img|media)-src/ },
    )
    await visit.page.getByRole('heading', { name: 'Cannot play' }).waitFor(soon)
    await visit.page.getByText(`This installation plays nothing from ${new URL(url).host}`).waitFor()
  }
  expect(camera.asked).toEqual([])
})

test('[W-755] a panel that is closed leaves no connection', async () => {
  await using camera = await serveMjpeg()
  await using visit = await show({ url: camera.stream })
  await status(visit, 'Live').waitFor(soon)
  expect(camera.viewers()).toBe(1)
  await visit.page.evaluate(() => bench.unmount())
  await expect.poll(() => camera.viewers(), soon).toBe(0)
})

test('[W-755] nor does one behind another tab', async () => {
  await using camera = await serveMjpeg()
  await using visit = await panels.show({
    kind: 'live-stream',
    state: { url: camera.stream },
    isActive: false,
  })
  await status(visit, 'Not connected').waitFor(soon)
  expect(camera.asked).toEqual([])
})

test('[W-754] the picture fills the panel for everybody, and the screen for one', async () => {
  await using camera = await serveMjpeg()
  await using visit = await show({ url: camera.stream })
  await status(visit, 'Live').waitFor(soon)
  await visit.page.getByRole('button', { name: 'Fill the panel' }).click()
  await expect
    .poll(() => visit.page.locator('canvas').evaluate((element) => getComputedStyle(element).objectFit), soon)
    .toBe('cover')
  expect(await visit.stored()).toEqual([{ fit: 'cover' }])
  await visit.page.getByRole('button', { name: 'Full screen', exact: true }).click()
  await expect.poll(() => visit.page.evaluate(() => document.fullscreenElement !== null), soon).toBe(true)
  await visit.page.evaluate(() => document.exitFullscreen())
})
