import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { useBench } from '../bench.ts'
import { GALLERY, instrument, SLOW_DRAWING, sent } from './instruments-page.ts'

const bench = useBench({ tolerated: SLOW_DRAWING })
const CALM = { reducedMotion: 'reduce', withoutWebGl: true } as const

deepTest('[W-698] a control that cannot be used says why', async () => {
  await using visit = await bench.share(GALLERY, CALM)
  const { page } = visit
  for (const label of ['Heater', 'Fan speed', 'Winch', 'Camera', 'Sign'])
    await instrument(page, label).getByText('Not available: the device is offline').waitFor()
  expect(await instrument(page, 'Heater').getByRole('switch').isDisabled()).toBe(true)
  await instrument(page, 'Camera').getByRole('application').press('ArrowUp')
  expect(await sent(page, 'camera')).toEqual([])
})

test('[W-698] a control says that it is sending, and what failed', async () => {
  await using visit = await bench.share(GALLERY, { ...CALM, asLeft: true })
  const { page } = visit
  expect(await instrument(page, 'Pump').getByRole('status').innerText()).toBe('Sending…')
  expect(await instrument(page, 'Valve').getByRole('status').innerText()).toBe(
    'Not done: the device did not answer',
  )
})

deepTest('[W-699] a toggle says what was asked for until it is reported', async () => {
  await using visit = await bench.share(GALLERY, CALM)
  const { page } = visit
  const lamp = instrument(page, 'Lamp')
  const difference = lamp.getByText('Asked for on, reports off')
  await lamp.locator('label').click()
  await difference.waitFor()
  expect(await lamp.getByRole('switch').isChecked()).toBe(true)
  expect(await sent(page, 'lamp')).toEqual(['true'])
  await page.getByRole('button', { name: 'Report what was asked for' }).click()
  await difference.waitFor({ state: 'detached' })
  expect(await lamp.getByRole('switch').isChecked()).toBe(true)
})

deepTest('[W-699] what failed goes back to what is reported, also for the same reason again', async () => {
  await using visit = await bench.share(GALLERY, CALM)
  const { page } = visit
  const lamp = instrument(page, 'Lamp')
  for (const _ of ['once', 'again']) {
    await lamp.locator('label').click()
    await lamp.getByText('Asked for on, reports off').waitFor()
    await page.getByRole('button', { name: 'Fail', exact: true }).click()
    await lamp.getByText('Not done: the device did not answer').waitFor()
    expect(await lamp.getByRole('switch').isChecked()).toBe(false)
  }
})

deepTest('[W-727] a number entry sends what is in its range, and tells what is not', async () => {
  await using visit = await bench.share(GALLERY, CALM)
  const { page } = visit
  const gain = instrument(page, 'Gain')
  const field = gain.getByRole('textbox')
  await field.fill('200')
  await field.press('Enter')
  await gain.getByText('Enter a number from 0 to 100.').waitFor()
  expect(await sent(page, 'gain')).toEqual([])
  await field.fill('12.5')
  await field.press('Enter')
  expect(await sent(page, 'gain')).toEqual(['12.5'])
  await gain.getByText('Asked for 12.5, reports 40').waitFor()
})

test('[W-727] actions say once what hinders them', async () => {
  await using visit = await bench.share(GALLERY, CALM)
  const { page } = visit
  await instrument(page, 'Oven').getByRole('button', { name: 'Start' }).click()
  expect(await sent(page, 'oven')).toEqual(['"start"'])
  const drone = instrument(page, 'Drone')
  expect(await drone.getByRole('button', { name: 'Land' }).isDisabled()).toBe(true)
  expect(await drone.getByRole('status').innerText()).toBe('Not available: the device is offline')
})

deepTest('[W-699] a choice shows what was chosen until it is reported', async () => {
  await using visit = await bench.share(GALLERY, CALM)
  const { page } = visit
  const mode = instrument(page, 'Mode')
  await mode.getByRole('button').click()
  await page.getByRole('option', { name: 'By hand' }).click()
  expect(await sent(page, 'mode')).toEqual(['"manual"'])
  await mode.getByText('Asked for By hand, reports Automatic').waitFor()
})

deepTest('[W-699] a slider sends once it is let go', async () => {
  await using visit = await bench.share(GALLERY, CALM)
  const { page } = visit
  const power = instrument(page, 'Power')
  const thumb = power.locator('[class*=thumb]').first()
  await thumb.scrollIntoViewIfNeeded()
  const box = await thumb.boundingBox()
  if (box === null) throw new Error('no thumb')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 30, y, { steps: 4 })
  expect(await sent(page, 'power')).toEqual([])
  await page.mouse.up()
  await expect.poll(() => sent(page, 'power')).toHaveLength(1)
  await power.getByText(/^Asked for \d+ %, reports 40 %$/).waitFor()
  await page.getByRole('button', { name: 'Report what was asked for' }).click()
  await power.getByText(/^Asked for/).waitFor({ state: 'detached' })
})

test('[W-699] a slider takes the keys', async () => {
  await using visit = await bench.share(GALLERY, CALM)
  const { page } = visit
  await instrument(page, 'Power').getByRole('slider').press('ArrowRight')
  await expect.poll(() => sent(page, 'power')).toEqual(['41'])
})

test('[W-700] a momentary button sends both ends of a press', async () => {
  await using visit = await bench.share(GALLERY, CALM)
  const { page } = visit
  const horn = instrument(page, 'Horn').getByRole('button')
  await horn.hover()
  await page.mouse.down()
  await expect.poll(() => sent(page, 'horn')).toEqual(['true'])
  expect(await horn.getAttribute('aria-pressed')).toBe('true')
  // The pointer is held, wherever it goes.
  await page.mouse.move(0, 0)
  await page.mouse.up()
  await expect.poll(() => sent(page, 'horn')).toEqual(['true', 'false'])
})

// The last of them takes the controls away.
const ENDS = {
  'the key is let go': async (page) => await page.keyboard.up('Space'),
  Escape: async (page) => await page.keyboard.press('Escape'),
  'the focus leaves': async (page) => await page.keyboard.press('Tab'),
  'the window is left': async (page) => await page.evaluate(() => void dispatchEvent(new Event('blur'))),
  'it leaves the page': async (page) =>
    await page
      .getByRole('button', { name: 'Remove held controls' })
      .evaluate((one: HTMLElement) => one.click()),
} satisfies Record<string, (page: Page) => Promise<unknown>>

deepTest('[W-700] a held button sends its release however it is let go', async () => {
  await using visit = await bench.share(GALLERY, CALM)
  const { page } = visit
  const before: string[] = []
  for (const [name, end] of Object.entries(ENDS)) {
    await instrument(page, 'Horn').getByRole('button').focus()
    await page.keyboard.down('Space')
    await expect.poll(() => sent(page, 'horn'), { message: name }).toEqual([...before, 'true'])
    await end(page)
    before.push('true', 'false')
    await expect.poll(() => sent(page, 'horn'), { message: name }).toEqual(before)
    await page.keyboard.up('Space')
    await expect.poll(() => sent(page, 'horn'), { message: name }).toEqual(before)
  }
  await page.getByRole('button', { name: 'Put back held controls' }).click()
})

deepTest('[W-700] so does one that the pointer holds when it leaves the page', async () => {
  await using visit = await bench.share(GALLERY, CALM)
  const { page } = visit
  await instrument(page, 'Horn').getByRole('button').hover()
  await page.mouse.down()
  await expect.poll(() => sent(page, 'horn')).toEqual(['true'])
  await ENDS['it leaves the page'](page)
  await expect.poll(() => sent(page, 'horn')).toEqual(['true', 'false'])
  await page.mouse.up()
  await page.getByRole('button', { name: 'Put back held controls' }).click()
})

test('[W-701] a joystick follows the pointer and springs back', async () => {
  await using visit = await bench.share(GALLERY, { ...CALM, asLeft: true })
  const { page } = visit
  const drive = instrument(page, 'Drive')
  const field = drive.getByRole('application')
  await field.hover()
  const box = await field.boundingBox()
  if (box === null) throw new Error('no joystick')
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 2, box.y + box.height / 2, { steps: 3 })
  await expect.poll(async () => (await sent(page, 'drive')).at(-1)).toBe('[1,0]')
  await page.mouse.up()
  await expect.poll(async () => (await sent(page, 'drive')).at(-1)).toBe('[0,0]')
  await drive.getByText('x 0.00, y 0.00').waitFor()
})

deepTest('[W-701] a joystick that arrow keys hold sends the center however that ends', async () => {
  await using visit = await bench.share(GALLERY, CALM)
  const { page } = visit
  const before: string[] = []
  for (const [name, end] of Object.entries(ENDS).filter(([one]) => one !== 'the key is let go')) {
    await instrument(page, 'Drive').getByRole('application').focus()
    await page.keyboard.down('ArrowUp')
    await expect.poll(() => sent(page, 'drive'), { message: name }).toEqual([...before, '[0,1]'])
    await end(page)
    before.push('[0,1]', '[0,0]')
    await expect.poll(() => sent(page, 'drive'), { message: name }).toEqual(before)
    await page.keyboard.up('ArrowUp')
  }
  await page.getByRole('button', { name: 'Put back held controls' }).click()
})

test('[W-701] two arrow keys go between both directions, and with Shift half way', async () => {
  await using visit = await bench.share(GALLERY, { ...CALM, asLeft: true })
  const { page } = visit
  await instrument(page, 'Drive').getByRole('application').focus()
  await page.keyboard.down('ArrowUp')
  await page.keyboard.down('ArrowRight')
  await expect.poll(async () => (await sent(page, 'drive')).at(-1)).toBe('[0.71,0.71]')
  await page.keyboard.up('ArrowUp')
  await page.keyboard.up('ArrowRight')
  await expect.poll(async () => (await sent(page, 'drive')).at(-1)).toBe('[0,0]')
  await page.keyboard.down('Shift')
  await page.keyboard.down('ArrowLeft')
  await expect.poll(async () => (await sent(page, 'drive')).at(-1)).toBe('[-0.5,0]')
  await page.keyboard.up('ArrowLeft')
  await page.keyboard.up('Shift')
})

deepTest('[W-702] a color is sent by its digits, and what is none is told', async () => {
  await using visit = await bench.share(GALLERY, CALM)
  const { page } = visit
  const strip = instrument(page, 'Strip')
  const field = strip.getByRole('textbox', { name: 'Hex color' })
  await field.fill('#12')
  await strip.getByText('Enter six hex digits').waitFor()
  await field.press('Enter')
  expect(await sent(page, 'color')).toEqual([])
  await field.fill('00ff7f')
  await field.press('Enter')
  await expect.poll(() => sent(page, 'color')).toEqual(['"#00FF7F"'])
})

test('[W-702] a color is chosen by its hue and brightness', async () => {
  await using visit = await bench.share(GALLERY, { ...CALM, asLeft: true })
  const { page } = visit
  const strip = instrument(page, 'Strip')
  await strip.getByRole('slider', { name: /^Brightness/ }).press('Home')
  await expect.poll(async () => (await sent(page, 'color')).at(-1)).toBe('"#000000"')
  await strip.getByRole('slider', { name: /^Hue/ }).press('End')
  await strip.getByRole('slider', { name: /^Brightness/ }).press('End')
  await expect.poll(async () => (await sent(page, 'color')).at(-1)).toBe('"#FF0000"')
})
