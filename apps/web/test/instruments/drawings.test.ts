import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { useBench } from '../bench.ts'
import { GALLERY, instrument, SLOW_DRAWING } from './instruments-page.ts'

const bench = useBench({ tolerated: SLOW_DRAWING })
const CALM = { reducedMotion: 'reduce', withoutWebGl: true } as const

type Visit = Awaited<ReturnType<typeof bench.share>>

async function plotOf({ page }: Visit) {
  const frame = instrument(page, 'Temperatures')
  const view = frame.getByRole('application')
  await frame.locator('.u-over').waitFor()
  const range = async () => ({
    from: Number(await view.getAttribute('data-from')),
    to: Number(await view.getAttribute('data-to')),
  })
  const span = async () => {
    const { from, to } = await range()
    return to - from
  }
  return { frame, view, range, span, over: frame.locator('.u-over') }
}

deepTest('[W-695] a plot tells of each series its last, lowest and highest value in view', async () => {
  await using visit = await bench.share(GALLERY, { ...CALM, asLeft: true })
  const { frame } = await plotOf(visit)
  const rows = await frame.getByRole('table', { name: 'Temperatures' }).getByRole('row').allInnerTexts()
  expect(rows[0]).toMatch(/Series\s+Last\s+Min\s+Max\s+At cursor/)
  expect(rows[1]).toMatch(/^Motor °C\s+[\d.]+\s+[\d.]+\s+[\d.]+\s+—$/)
  expect(rows).toHaveLength(4)
  await frame.getByText('Warm: 60 °C · Shutdown: 75 °C').waitFor()
})

test('[W-695] a plot shows its values as a table on demand', async () => {
  await using visit = await bench.share(GALLERY, { ...CALM, asLeft: true })
  const { frame } = await plotOf(visit)
  await frame.getByRole('button', { name: 'Table' }).click()
  const table = frame.getByRole('region', { name: 'Values of Temperatures' })
  await expect.poll(() => table.getByRole('row').count()).toBe(101)
})

test('[W-696] a plot is zoomed with buttons and keys, and reset', async () => {
  await using visit = await bench.share(GALLERY, { ...CALM, asLeft: true })
  const { frame, view, span } = await plotOf(visit)
  await view.press('0')
  await expect.poll(span).toBe(30_000)
  await frame.getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(span).toBe(15_000)
  await view.press('-')
  await view.press('-')
  await expect.poll(span).toBe(60_000)
  await view.press('0')
  await expect.poll(span).toBe(30_000)
})

deepTest(
  '[W-696] a wheel zooms with Ctrl or once the plot has the focus, and otherwise scrolls the page',
  async () => {
    await using visit = await bench.share(GALLERY, CALM)
    const { view, span, over } = await plotOf(visit)
    await over.hover()
    const before = await visit.page.evaluate(() => scrollY)
    await visit.page.mouse.wheel(0, 120)
    await expect.poll(() => visit.page.evaluate(() => scrollY)).toBeGreaterThan(before)
    expect(await span()).toBe(30_000)
    await view.focus()
    await over.hover()
    await visit.page.mouse.wheel(0, -120)
    await expect.poll(span).toBeLessThan(30_000)
  },
)

deepTest('[W-696] a stretch that is dragged fills the plot, and Shift and dragging moves it', async () => {
  await using visit = await bench.share(GALLERY, CALM)
  const { page } = visit
  const { frame, range, span, over } = await plotOf(visit)
  await over.hover()
  const box = await over.boundingBox()
  if (box === null) throw new Error('no plot')
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + box.width * 0.25, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.5, y, { steps: 5 })
  await page.mouse.up()
  await expect.poll(span).toBeLessThan(8_500)
  expect(await span()).toBeGreaterThan(6_500)
  await frame.getByText('Looking back').waitFor()
  const before = await range()
  await page.keyboard.down('Shift')
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.75, y, { steps: 5 })
  await page.mouse.up()
  await page.keyboard.up('Shift')
  await expect.poll(async () => (await range()).from).toBeLessThan(before.from)
  await frame.getByRole('button', { name: 'Follow the latest' }).click()
  await frame.getByText('Looking back').waitFor({ state: 'detached' })
})

deepTest('[W-696] a frozen plot stays as it is while values come, and says so', async () => {
  await using visit = await bench.share(GALLERY, CALM)
  const { page } = visit
  const { frame, range } = await plotOf(visit)
  const freeze = frame.getByRole('button', { name: 'Freeze' })
  await freeze.click()
  await frame.getByText(/^Frozen at \d\d:\d\d:\d\d$/).waitFor()
  const before = await range()
  const summary = frame.getByRole('table', { name: 'Temperatures' })
  const text = await summary.innerText()
  await page.getByRole('button', { name: 'Add five seconds' }).click()
  const other = instrument(page, 'Motor current').getByRole('application')
  await expect.poll(() => other.getAttribute('data-to')).toBe(String(before.to + 5_000))
  expect(await range()).toEqual(before)
  expect(await summary.innerText()).toBe(text)
  await freeze.click()
  await expect.poll(async () => (await range()).to).toBe(before.to + 5_000)
})

test('[W-697] all plots of a page have one cursor', async () => {
  await using visit = await bench.share(GALLERY, CALM)
  const { page } = visit
  const { over } = await plotOf(visit)
  const current = instrument(page, 'Motor current')
  await current.locator('.u-over').waitFor()
  const row = current.getByRole('table', { name: 'Motor current' }).getByRole('row').nth(1)
  expect(await row.innerText()).toMatch(/—$/)
  await over.hover()
  await expect.poll(() => row.innerText()).toMatch(/[\d.]+$/)
})

test('[W-703] a gauge and a level are meters that say what their value means', async () => {
  await using visit = await bench.share(GALLERY, { ...CALM, asLeft: true })
  const text = async (name: string) =>
    await visit.page.getByRole('meter', { name, exact: true }).getAttribute('aria-valuetext')
  expect(await text('Motor temperature')).toBe('71.4 °C, Warning')
  expect(await text('Speed')).toBe('1,420 rpm, Above range')
  expect(await text('Battery')).toBe('24 %, Low')
  await instrument(visit.page, 'Speed').getByText('Above range').waitFor()
})

test('[W-728] bars are a meter for each member, with its name', async () => {
  await using visit = await bench.share(GALLERY, CALM)
  const text = async (name: string) =>
    await visit.page.getByRole('meter', { name, exact: true }).getAttribute('aria-valuetext')
  expect(await text('Cells: 2')).toBe('3.88 V')
  expect(await text('Tasks: radio')).toBe('18 %')
})

test('[W-704] a heat map has every number, and lighter colors for higher ones', async () => {
  await using visit = await bench.share(GALLERY, { ...CALM, asLeft: true })
  const table = visit.page.getByRole('table', { name: 'Thermal sensor' })
  expect(await table.getByRole('cell').count()).toBe(64)
  const cells = await table.getByRole('cell').evaluateAll((all) =>
    all.map((cell) => {
      const [red = 0, green = 0, blue = 0] = (getComputedStyle(cell).backgroundColor.match(/\d+/g) ?? []).map(
        Number,
      )
      return { value: Number(cell.textContent), light: 0.2126 * red + 0.7152 * green + 0.0722 * blue }
    }),
  )
  const sorted = cells.toSorted((one, other) => one.value - other.value)
  expect(sorted.at(-1)?.value).toBe(35)
  expect(sorted.at(-1)?.light).toBeGreaterThan((sorted[0]?.light ?? 0) + 100)
})

deepTest('[W-705] an orientation takes angles or a quaternion', async () => {
  await using visit = await bench.share(GALLERY, { ...CALM, withoutWebGl: false })
  const angles = async (name: string) => await instrument(visit.page, name).locator('dd').allInnerTexts()
  expect(await angles('Rover')).toEqual(['15.0°', '-20.0°', '40.0°'])
  expect(await angles('Arm')).toEqual(['0.0°', '0.0°', '90.0°'])
  await instrument(visit.page, 'Rover').locator('canvas').waitFor()
})

test('[W-705] without WebGL the numbers stand alone, and it says so', async () => {
  await using visit = await bench.share(GALLERY, { ...CALM, asLeft: true })
  const rover = instrument(visit.page, 'Rover')
  await rover.getByText('No 3D view: this browser has no WebGL.').waitFor()
  expect(await rover.locator('dd').allInnerTexts()).toEqual(['15.0°', '-20.0°', '40.0°'])
})

test('[W-706] a plan map is moved and zoomed, fits everything and lists all positions', async () => {
  await using visit = await bench.share(GALLERY, { ...CALM, asLeft: true })
  const { page } = visit
  const frame = instrument(page, 'Test field')
  const map = frame.getByRole('application')
  const look = async () => [
    Number(await map.getAttribute('data-scale')),
    ...((await map.getAttribute('data-center')) ?? '').split(' ').map(Number),
  ]
  await map.scrollIntoViewIfNeeded()
  const [scale = 0, x = 0, y = 0] = await look()
  expect([x, y]).toEqual([3, 2.25])
  await frame.getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(async () => ((await look())[0] ?? 0) / scale).toBeCloseTo(1.5, 1)
  await map.press('ArrowRight')
  await expect.poll(async () => (await look())[1]).toBeGreaterThan(x)
  await map.press('f')
  await expect.poll(look).toEqual([scale, x, y])
  await map.hover()
  await page.mouse.down()
  await page.mouse.move(200, 300, { steps: 3 })
  await page.mouse.up()
  await expect.poll(look).not.toEqual([scale, x, y])
  await frame.getByRole('button', { name: 'Fit everything' }).click()
  await expect.poll(look).toEqual([scale, x, y])
  await frame.getByText('Positions').click()
  const rows = await frame
    .getByRole('table', { name: 'Positions of Test field' })
    .getByRole('row')
    .allInnerTexts()
  expect(rows).toHaveLength(6)
  expect(rows[5]).toMatch(/^Rover\s+Point\s+4\.11\s+2\.34 m$/)
})
