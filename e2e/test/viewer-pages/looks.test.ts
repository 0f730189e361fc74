import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, depth, isDeep } from '@patchbay/testkit/depth'
import { complaints, overflowing, smallControls } from '@patchbay/web/test/complaints'
import { expect, test } from 'vitest'
import { viewsOf } from '../pages/views.ts'
import { allSaved, earlierPictures, onUpload, ownPictures, PHONE, useViewers, type Visit } from './bench.ts'
import { choose, copy, dragOver, pressPaste } from './hands.ts'
import { startLocalModel } from './model.ts'
import { png } from './pictures.ts'

const bench = useViewers()
const LONG = 'Averylongnamewithoutanyblankthatsomebodygavetheirpicturebecausenobodystoppedthem'

interface Look {
  readonly name: string
  readonly path?: string
  readonly faults?: readonly RegExp[]
  readonly open: (visit: Visit, page: Page) => Promise<void>
}

const LOOKS: readonly Look[] = [
  {
    name: 'the viewer page with pastes',
    open: async (visit, page) => {
      await choose(page, [{ name: `${LONG}.png`, bytes: await png(30, 20) }])
      await allSaved(page, 1)
      await visit.open('/')
      await earlierPictures(page).first().waitFor()
    },
  },
  {
    name: 'the empty widget with a long title and a notice',
    path: `/screenshot-paste?title=${LONG}${LONG}`,
    open: async (_visit, page) => {
      await copy(page, { text: 'words' })
      await pressPaste(page)
      await page.getByText('The clipboard holds text').waitFor()
    },
  },
  {
    name: 'pictures in every state',
    faults: [/422/],
    open: async (_visit, page) => {
      await choose(page, [
        { name: 'saved.png', bytes: await png(3000, 20) },
        { name: 'deleted.png', bytes: await png(20, 30) },
      ])
      await allSaved(page, 2)
      await page
        .getByRole('button', { name: /^Delete/ })
        .first()
        .click()
      await page.getByText(/^Deleted:/).waitFor()
      await page.getByRole('button', { name: /^Rename/ }).click()
      await page.getByRole('textbox').fill(LONG)
      await choose(page, [
        { name: `${LONG}.png`, bytes: Buffer.from('no picture') },
        { name: 'empty.png', bytes: Buffer.alloc(0) },
      ])
      await ownPictures(page).getByText('The image was rejected').waitFor()
      await onUpload(page, async () => await new Promise<never>(() => undefined))
      const bytes = await png(30, 20)
      await choose(
        page,
        Array.from({ length: 5 }, (_, index) => ({ name: `${index}.png`, bytes })),
      )
      await page.getByText('Waiting').waitFor()
    },
  },
  {
    name: 'a drop',
    open: async (_visit, page) => {
      await using dragged = await dragOver(page, [{ name: 'x.png', bytes: await png(30, 20) }])
      await page.getByText('Drop images to save them').waitFor()
      void dragged
    },
  },
]

const CROSS_SECTION = LOOKS.filter(({ name }) => name === 'pictures in every state')

test.each(depth({ common: CROSS_SECTION, deep: LOOKS }))(
  '[W-412] $name: for everyone, in both themes, wide and narrow',
  { timeout: 60_000 },
  async (look) => {
    await using model = await startLocalModel()
    await using visit = await bench.visit({
      ...(look.path !== undefined && { path: look.path }),
      environment: look.name === 'a drop' ? {} : model.environment,
      colorScheme: 'light',
      reducedMotion: 'reduce',
      hasTouch: true,
      expectedFaults: look.faults ?? [],
    })
    const { page } = visit
    await look.open(visit, page)
    model.answerAll('power-supply-with-a-ripple')
    for (const { viewport, theme } of viewsOf(LOOKS.indexOf(look))) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme: theme })
      // Seen whole in the light, a scene has only its colors left to be checked in the dark.
      expect(await complaints(page, { contrastOnly: isDeep && theme === 'dark' })).toEqual([])
    }
    await page.setViewportSize(PHONE)
    expect(await page.evaluate(smallControls)).toEqual([])
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 700 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      expect(await page.evaluate(overflowing)).toEqual([])
    }
  },
)

deepTest(
  '[W-412] nothing moves for those who asked for that, and targets are large enough for a mouse',
  async () => {
    await using visit = await bench.visit({ reducedMotion: 'reduce' })
    const { page } = visit
    await choose(page, [{ name: 'x.png', bytes: await png(30, 20) }])
    await allSaved(page, 1)
    const moving = await page.evaluate(() =>
      document.getAnimations().filter(({ playState }) => playState === 'running'),
    )
    expect(moving).toEqual([])
    const boxes = await page.evaluate(() =>
      Array.from(
        document.querySelectorAll('button, a'),
        (control) => control.getBoundingClientRect().toJSON() as DOMRect,
      )
        .filter(({ width }) => width > 1)
        .map(({ width, height }) => Math.min(width, height)),
    )
    expect(boxes.length).toBeGreaterThan(5)
    expect(Math.min(...boxes)).toBeGreaterThanOrEqual(24)
  },
)

test('[W-384] a page that throws says so, and a reload recovers', async () => {
  await using visit = await bench.visit({ expectedFaults: [/split/] })
  const { page } = visit
  await page.route('**/api/viewer', async (route) => await route.fulfill({ json: { project: 5 } }), {
    times: 1,
  })
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'This page stopped working' }).waitFor()
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await page.getByRole('heading', { level: 1, name: 'Paste a screenshot' }).waitFor()
  expect(await ownPictures(page).count()).toBe(0)
})
