import { type Browser, type Page, sharedChromium, startChromium } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { afterAll, beforeAll, expect } from 'vitest'
import type { SandboxSite } from '../sandbox/sandbox-site.ts'
import { shortenTimers } from '../short-timers.ts'
import { COLORS, INNER, OVERLAY, serveCapture, serveOther, share, WHOLE } from './capture-site.ts'

interface Facts {
  width: number
  height: number
  scale: number
  engine: string
  colors: number[][]
}

let browser: Browser
let other: SandboxSite
let site: SandboxSite
beforeAll(async () => {
  other = await serveOther()
  site = await serveCapture(other.url)
  browser = await sharedChromium(WHOLE)
}, 120_000)
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
})

interface Opening {
  readonly from?: Browser
  readonly viewport?: { width: number; height: number } | null
  readonly frameMs?: number
}

async function openShared(options: Opening = {}): Promise<Page> {
  const { from = browser, viewport = { width: 800, height: 700 }, frameMs = 15_000 } = options
  const context = await from.newContext({ viewport })
  const page = await context.newPage()
  await page.goto(site.url)
  await page.evaluate((limit) => {
    Object.assign(globalThis, {
      capturer: (globalThis as never as { createCapturer(o: object): object }).createCapturer({
        frameMs: limit,
      }),
    })
  }, frameMs)
  await share(page, 'workspace')
  return page
}

async function capture(
  page: Page,
  selector: string,
  points: readonly (readonly [number, number])[],
): Promise<Facts> {
  return await page.evaluate(
    async ([wanted, places]) => {
      const { capturer, colorsAt } = globalThis as never as {
        capturer: { capture(request: object): Promise<Omit<Facts, 'colors'>> }
        colorsAt: (picture: object, points: unknown) => Promise<number[][]>
      }
      const picture = await capturer.capture({ scope: 'panel', element: document.querySelector(wanted) })
      const { width, height, scale, engine } = picture
      return { width, height, scale, engine, colors: await colorsAt(picture, places) }
    },
    [selector, points] as const,
  )
}

function farthest(colors: readonly (readonly number[])[], expected: readonly (readonly number[])[]): number {
  const differences = expected.flatMap((color, index) =>
    color.map((channel, at) => Math.abs(channel - (colors[index]?.[at] ?? 999))),
  )
  return Math.max(...differences)
}

const MIDDLES = COLORS.map((_, index) => [index * 50 + 25, 50] as const)

test('[W-340] a picture of a panel has its size, its colors within 4 and the frame of another origin inside', async () => {
  const page = await openShared()
  const picture = await capture(page, '#panel', [...MIDDLES, [200, 225]])
  expect(picture).toMatchObject({ width: 400, height: 300, scale: 1, engine: 'restriction-target' })
  expect(farthest(picture.colors.slice(0, -1), COLORS)).toBeLessThanOrEqual(4)
  expect(farthest(picture.colors.slice(-1), [INNER])).toBeLessThanOrEqual(4)
  await page.context().close()
}, 120_000)

test('[W-341] what lies over the panel is not in its picture', async () => {
  const page = await openShared()
  // The overlay covers 60 to 160 pixels of the panel, from its top at 30.
  const places = [
    [75, 50],
    [125, 50],
    [145, 60],
  ] as const
  const seen = await page.evaluate(() => document.elementFromPoint(115, 80)?.id)
  expect(seen).toBe('overlay')
  const { colors } = await capture(page, '#panel', places)
  expect(farthest(colors, [COLORS[1], COLORS[2], COLORS[2]])).toBeLessThanOrEqual(4)
  expect(colors).not.toContainEqual(OVERLAY)
  await page.context().close()
}, 120_000)

test('[W-342] a picture with two pixels for each of the page says so', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(site.url)
  const picture = await page.evaluate(async () => {
    const { pictureOfFrame } = globalThis as never as {
      pictureOfFrame: (frame: VideoFrame, isMislabelled: boolean, width: number) => Promise<Facts>
    }
    const canvas = new OffscreenCanvas(800, 600)
    canvas.getContext('2d')?.fillRect(0, 0, 800, 600)
    const { width, height, scale } = await pictureOfFrame(
      new VideoFrame(canvas, { timestamp: 0 }),
      false,
      400,
    )
    return { width, height, scale }
  })
  expect(picture).toEqual({ width: 800, height: 600, scale: 2 })
  await context.close()
}, 120_000)

deepTest(
  '[W-342] on a display with two pixels for each of the page, the picture has them, and says so',
  async () => {
    const dense = await startChromium({
      isWhole: true,
      args: ['--auto-accept-this-tab-capture', '--force-device-scale-factor=2', '--window-size=1000,900'],
    })
    try {
      const page = await openShared({ from: dense, viewport: null })
      expect(await capture(page, '#panel', [])).toMatchObject({ width: 800, height: 600, scale: 2 })
    } finally {
      await dense.close()
    }
  },
  120_000,
)

test('[W-343] a part of the page that cannot be captured is an error by the deadline, and the next picture is taken', async () => {
  const page = await openShared()
  const restore = await shortenTimers(page, 10_000)
  await expect(capture(page, '#flat', [])).rejects.toThrow('No picture came within 15000 ms')
  await restore()
  expect(await capture(page, '#panel', [])).toMatchObject({ width: 400, height: 300 })
  await page.context().close()
}, 120_000)

deepTest(
  '[W-343] so it is by the real deadline',
  async () => {
    const page = await openShared({ frameMs: 8_000 })
    const begun = performance.now()
    await expect(capture(page, '#flat', [])).rejects.toThrow()
    expect(performance.now() - begun).toBeLessThan(30_000)
    expect(await capture(page, '#panel', [])).toMatchObject({ width: 400, height: 300 })
    await page.context().close()
  },
  120_000,
)
