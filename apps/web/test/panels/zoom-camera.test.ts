import { openPage, sharedChromium } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { afterAll, beforeAll, expect } from 'vitest'
import {
  aimAt,
  inside,
  pictureBox,
  regionBetween,
  regionOf,
} from '../../src/workspace/panels/media/camera-aim.ts'
import { words } from '../../src/workspace/panels/media/words.ts'
import { answerCamera } from './camera-device.ts'
import { CAMERA_ARGS, publishCamera, serveWebrtc, type WebrtcServer } from './media-servers.ts'
import { NARROW, type PanelVisit, soon, usePanelBench } from './panel-bench.ts'

const panels = usePanelBench({
  args: CAMERA_ARGS,
  mediaOrigins: ['http://127.0.0.1:*'],
  tolerated: /Failed to load resource/,
})

/** Two streams are received at once, in software. */
const PATIENCE_MS = 180_000

let server: WebrtcServer
let camera: AsyncDisposable
beforeAll(async () => {
  server = await serveWebrtc()
  const watched = await openPage(await sharedChromium({ args: CAMERA_ARGS }))
  camera = watched
  await publishCamera(watched.page, server)
}, 60_000)
afterAll(async () => {
  await camera[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const VIEW = { width: 60, height: 34 }

test('[W-765] a region and where a camera looks say the same', () => {
  expect(aimAt({ x: 0.25, y: 0.25, width: 0.5, height: 0.5 }, VIEW)).toEqual({ pan: 0, tilt: 0, zoom: 2 })
  const corner = { x: 0.75, y: 0, width: 0.25, height: 0.25 }
  const aim = aimAt(corner, VIEW)
  expect(aim).toMatchObject({ pan: 22.5, zoom: 4 })
  expect(aim.tilt).toBeCloseTo(12.75, 0)
  const seen = regionOf(aim, VIEW)
  for (const key of ['x', 'y', 'width', 'height'] as const) expect(seen?.[key]).toBeCloseTo(corner[key], 1)
  expect(regionOf({ pan: 150, tilt: 0, zoom: 4 }, VIEW)).toBeUndefined()
})

test('[W-765] a region is inside of the picture and can be seen, whichever way it is drawn', () => {
  expect(regionBetween({ x: 0.6, y: 0.7 }, { x: 0.2, y: 0.3 })).toEqual({
    x: 0.2,
    y: 0.3,
    width: 0.4,
    height: 0.4,
  })
  expect(regionBetween({ x: 1, y: 1 }, { x: 1, y: 1 })).toEqual({
    x: 0.95,
    y: 0.95,
    width: 0.05,
    height: 0.05,
  })
  expect(inside({ x: -1, y: 2, width: 3, height: 0.5 })).toEqual({ x: 0, y: 0.5, width: 1, height: 0.5 })
  expect(pictureBox({ width: 400, height: 400 }, { width: 640, height: 320 })).toEqual({
    x: 0,
    y: 0.25,
    width: 1,
    height: 0.5,
  })
})

const bound = () => ({ wideUrl: server.whep, nearUrl: server.whep, device: 'ptz-camera' })
const layer = ({ page }: PanelVisit) => page.getByRole('application', { name: 'Region of interest' })

test(
  '[W-764] a wide and a near picture play, and a region drawn on the wide one aims the camera',
  async () => {
    let told: ReturnType<typeof answerCamera> | undefined
    await using visit = await panels.show(
      { kind: 'zoom-camera', state: bound() },
      { prepare: (site) => (told = answerCamera(site)) },
    )
    const { page } = visit
    for (const name of ['Wide: Live', 'Near: Live'])
      await page.getByRole('status').filter({ hasText: name }).waitFor(soon)
    await page.getByText('Pan 0.0° · Tilt 0.0° · Zoom 1.0 ×').waitFor(soon)
    const box = await layer(visit).boundingBox()
    if (box === null) throw new Error('no layer')
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.5)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.75, box.y + box.height * 0.6, { steps: 5 })
    await page.mouse.up()
    await expect
      .poll(() => told?.commands.map(([channel]) => channel).toSorted(), soon)
      .toEqual(['pan', 'tilt', 'zoom'])
    const [stored] = (await visit.stored()) as { region: { x: number; width: number } }[]
    expect(stored?.region.x).toBeCloseTo(0.5, 1)
    expect(stored?.region.width).toBeCloseTo(0.25, 1)
    expect(Number(told?.values['pan'])).toBeCloseTo(7.5, 0)
    expect(Number(told?.values['zoom'])).toBeCloseTo(4, 0)
    await page.getByText(/Pan 7\.\d° · Tilt -?\d+\.\d° · Zoom \d\.\d ×/).waitFor(soon)
    await page.getByRole('button', { name: 'Pan left' }).click()
    await expect.poll(() => Number(told?.values['pan']), soon).toBeLessThan(7)
  },
  PATIENCE_MS,
)

deepTest(
  '[W-765] with keys a region is moved, and Enter looks there; without a near stream it is shown larger',
  async () => {
    let told: ReturnType<typeof answerCamera> | undefined
    await using visit = await panels.show(
      { kind: 'zoom-camera', state: { wideUrl: server.whep, device: 'ptz-camera' } },
      { prepare: (site) => (told = answerCamera(site)) },
    )
    const { page } = visit
    await page.getByText('Draw a region on the wide picture').waitFor(soon)
    await layer(visit).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Minus')
    expect(told?.commands).toEqual([])
    await page.keyboard.press('Enter')
    await expect.poll(() => told?.commands.length, soon).toBe(3)
    const crop = page.getByRole('img', { name: 'Bench, near picture' })
    await expect.poll(() => crop.evaluate((canvas: HTMLCanvasElement) => canvas.width), soon).not.toBe(300)
    await page.setViewportSize(NARROW)
    // The picture is drawn anew in its smaller place.
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth), soon)
      .toBe(NARROW.width)
  },
  PATIENCE_MS,
)

test('[W-790] in a replay the picture says that it is live, and the camera is not aimed', async () => {
  await using visit = await panels.show(
    { kind: 'zoom-camera', state: { device: 'ptz-camera' } },
    { prepare: (site) => answerCamera(site) },
  )
  const aim = visit.page.getByRole('button', { name: 'Zoom in' })
  const isDisabled = () => aim.isDisabled()
  await expect.poll(isDisabled, soon).toBe(false)
  await visit.page.evaluate((at) => bench.seek(at), Date.now() - 60_000)
  await visit.page.getByText(words.liveInReplay).waitFor(soon)
  await expect.poll(isDisabled, soon).toBe(true)
  await visit.page.evaluate(() => bench.seek())
  await expect.poll(isDisabled, soon).toBe(false)
  expect(await visit.page.getByText(words.liveInReplay).count()).toBe(0)
})

deepTest(
  '[W-766] what a camera refuses is told; whoever may only look aims nothing',
  async () => {
    let told: ReturnType<typeof answerCamera> | undefined
    const state = { ...bound(), region: { x: 0.4, y: 0.4, width: 0.2, height: 0.2 } }
    {
      await using visit = await panels.show(
        { kind: 'zoom-camera', state },
        { prepare: (site) => (told = answerCamera(site, 'the lens is covered')) },
      )
      await visit.page.getByText('Pan 0.0°').waitFor(soon)
      await visit.page.getByRole('button', { name: 'Zoom in' }).click()
      await visit.page.getByText('the lens is covered').waitFor(soon)
      expect(told?.commands).toEqual([['zoom', 1.25]])
    }
    await using visit = await panels.show(
      { kind: 'zoom-camera', state, mayChange: false },
      { prepare: (site) => (told = answerCamera(site)) },
    )
    await layer(visit).waitFor(soon)
    expect(await visit.page.getByRole('button', { name: 'Zoom in' }).isDisabled()).toBe(true)
    await layer(visit).focus()
    await visit.page.keyboard.press('ArrowRight')
    await visit.page.keyboard.press('Enter')
    expect([await visit.stored(), told?.commands]).toEqual([[], []])
  },
  PATIENCE_MS,
)
