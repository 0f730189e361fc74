import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import type { LogEntry } from '../../src/workspace/panel-definition.ts'
import { soon, usePanelBench } from './panel-bench.ts'

const panels = usePanelBench()
const log = (page: Page, ...entries: Omit<LogEntry, 'at'>[]) =>
  page.evaluate((given) => {
    for (const entry of given) bench.log(entry)
  }, entries)
const rows = (page: Page) => page.getByRole('log').locator('time')
const line = (text: string, over: Partial<LogEntry> = {}): Omit<LogEntry, 'at'> => ({
  source: 'workspace',
  level: 'info',
  text,
  ...over,
})

test('[W-315] lines appear as they happen, and are filtered and searched', async () => {
  await using visit = await panels.show({ kind: 'system-log' })
  const { page } = visit
  await page.getByText('No activity yet.').waitFor()
  await log(
    page,
    line('navigated to the data sheet', { source: 'agent', about: 'Docs' }),
    line('voltage is low', { source: 'console', level: 'warn', about: 'Script' }),
    line('connected'),
  )
  await expect.poll(() => rows(page).count(), soon).toBe(3)
  const choose = async (name: string) => {
    await page.getByRole('button', { name: /Show/ }).click()
    await page.getByRole('option', { name }).click()
  }
  for (const [filter, text] of [
    ['Agents', 'navigated to the data sheet'],
    ['Consoles', 'voltage is low'],
    ['Problems', 'voltage is low'],
  ] as const) {
    await choose(filter)
    await expect.poll(() => rows(page).count(), soon).toBe(1)
    await page.getByRole('log').getByText(text).waitFor()
  }
  expect(await visit.stored()).toEqual([{ filter: 'agents' }, { filter: 'console' }, { filter: 'problems' }])
  await choose('Everything')
  await page.getByLabel('Search the log').fill('SHEET docs')
  await expect.poll(() => rows(page).count(), soon).toBe(1)
  await page.getByLabel('Search the log').fill('nowhere')
  await page.getByText('Nothing to show with this filter.').waitFor()
})

test('[W-453] F9: lines that say the same one after the other are one row with how often', async () => {
  await using visit = await panels.show({ kind: 'system-log' })
  const { page } = visit
  await log(page, line('asked'), line('asked'), line('asked'), line('connected'), line('asked'))
  await expect.poll(() => rows(page).count(), soon).toBe(3)
  expect(await page.getByRole('log').getByText('times').allInnerTexts()).toEqual(['3 times'])
})

test('[W-316] the latest line is in view until somebody scrolls up; then the new ones are counted', async () => {
  await using visit = await panels.show({ kind: 'system-log' })
  const { page } = visit
  await log(page, ...Array.from({ length: 1200 }, (_, n) => line(`line ${n} ${'long '.repeat(n % 40)}`)))
  const isInView = (text: string) =>
    page.getByText(text).evaluate((row) => {
      const box = row.closest('[role=log]')?.getBoundingClientRect()
      const { top, bottom } = row.getBoundingClientRect()
      return box !== undefined && top >= box.top - 1 && bottom <= box.bottom + 1
    })
  await expect.poll(() => rows(page).count(), soon).toBe(1000)
  await expect.poll(() => isInView('line 1199'), soon).toBe(true)
  await page.getByRole('log').hover()
  await page.mouse.wheel(0, -2000)
  const follow = page.getByRole('button', { name: 'Follow the latest line' })
  await expect.poll(() => follow.getAttribute('aria-pressed'), soon).toBe('false')
  await log(page, line('news one'), line('news two'))
  await page.getByRole('button', { name: '2 new below' }).click()
  await expect.poll(() => isInView('news two'), soon).toBe(true)
  expect(await follow.getAttribute('aria-pressed')).toBe('true')
})

deepTest('[W-316] the view is cleared here only, and what is shown is copied', async () => {
  await using visit = await panels.show(
    { kind: 'system-log' },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  )
  const { page } = visit
  await log(page, line('old'), line('older'))
  await page.getByRole('button', { name: 'Clear this view' }).click()
  await expect.poll(() => rows(page).count(), soon).toBe(0)
  await log(page, line('fresh', { source: 'agent', level: 'error', about: 'Docs' }))
  await page.getByRole('button', { name: 'Copy the log' }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()), soon)
    .toMatch(/^\S+Z agent error \[Docs\] fresh$/)
  expect(await page.evaluate(() => bench.logged().length)).toBe(3)
})
