import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { useBench } from '../bench.ts'
import { GALLERY, instrument, SLOW_DRAWING } from './instruments-page.ts'

const bench = useBench({ tolerated: SLOW_DRAWING })
const CALM = { reducedMotion: 'reduce', withoutWebGl: true } as const

deepTest('[W-707] of ten thousand lines only those in view are in the page', async () => {
  await using visit = await bench.share(GALLERY, CALM)
  const log = instrument(visit.page, 'Device log')
  const items = log.getByRole('listitem')
  await log.getByText('(9999)').waitFor()
  expect(await items.count()).toBeLessThan(80)
  expect(await items.last().getAttribute('aria-posinset')).toBe('10000')
  await log.getByRole('region').evaluate((box) => {
    box.scrollTop = 0
  })
  await log.getByText('(0)', { exact: false }).first().waitFor()
  await expect.poll(() => items.first().getAttribute('aria-posinset')).toBe('1')
  expect(await items.count()).toBeLessThan(80)
})

deepTest('[W-707] a log is narrowed down by text, level and source', async () => {
  await using visit = await bench.share(GALLERY, CALM)
  const { page } = visit
  const log = instrument(page, 'Device log')
  const choose = async (button: RegExp, option: string) => {
    await log.getByRole('button', { name: button }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
    await page.getByRole('listbox').waitFor({ state: 'detached' })
  }
  await choose(/Level$/, 'Warning and above')
  await log.getByText('3,333 of 10,000 lines').waitFor()
  await choose(/Source$/, 'motor')
  await log.getByText('1,667 of 10,000 lines').waitFor()
  await log.getByRole('searchbox').fill('(9999)')
  await log.getByText('1 of 10,000 lines').waitFor()
  await log.getByRole('searchbox').fill('no such thing')
  await log.getByText('No line matches.').waitFor()
  expect(await log.getByRole('listitem').count()).toBe(0)
})

test('[W-707] a log follows the latest line until somebody scrolls up', async () => {
  await using visit = await bench.share(GALLERY, CALM)
  const { page } = visit
  const log = instrument(page, 'Device log')
  const write = page.getByRole('button', { name: 'Write three lines' })
  await write.click()
  await log.getByText('(10002)').waitFor()
  const box = log.getByRole('region')
  await box.focus()
  await page.keyboard.press('PageUp')
  await expect
    .poll(() => log.getByRole('button', { name: 'Follow the latest line' }).getAttribute('aria-pressed'))
    .toBe('false')
  await write.click()
  await log.getByRole('button', { name: '3 new below' }).click()
  await log.getByText('(10005)').waitFor()
})

test('[W-708] a line is sent with the chosen ending, and comes back with the arrow keys', async () => {
  await using visit = await bench.share(GALLERY, CALM)
  const { page } = visit
  const port = instrument(page, 'Serial port')
  const field = port.getByRole('textbox', { name: 'Line to send' })
  await field.fill('help')
  await field.press('Enter')
  await port.getByText('help\\n', { exact: true }).waitFor()
  await port.getByRole('button', { name: /Line ending$/ }).click()
  await page.getByRole('option', { name: 'CR LF' }).click()
  await field.fill('reset')
  await port.getByRole('button', { name: 'Send' }).click()
  await port.getByText('reset\\r\\n', { exact: true }).waitFor()
  await field.press('ArrowUp')
  await field.press('ArrowUp')
  expect(await field.inputValue()).toBe('help')
  await field.press('ArrowDown')
  expect(await field.inputValue()).toBe('reset')
})

deepTest('[W-708] a console shows what has no shape, and keeps as many lines as it is told', async () => {
  await using visit = await bench.share(GALLERY, CALM)
  const port = instrument(visit.page, 'Serial port')
  await port.getByText('boot:0x13\\x1b[0m', { exact: false }).waitFor()
  const field = port.getByRole('textbox', { name: 'Line to send' })
  await field.focus()
  // An empty line is sent as its ending.
  for (let count = 0; count < 49; count += 1) await visit.page.keyboard.press('Enter')
  await port.getByText('Only the latest 100 lines are kept.').waitFor()
  await expect.poll(() => port.getByRole('listitem').last().getAttribute('aria-posinset')).toBe('100')
})
