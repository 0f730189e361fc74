import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { soon, usePanelBench } from './panel-bench.ts'

// The whole browser gives a sandboxed frame a process of its own; the windowless one must be told to.
const panels = usePanelBench({ args: ['--site-per-process', '--enable-features=IsolateSandboxedIframes'] })
const run = (page: Page) => page.getByRole('button', { name: 'Run', exact: true })
const output = (page: Page) => page.getByRole('log', { name: 'Output' })

async function write(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Bench' }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(code)
}

test('[W-307] the button runs the script: its lines, its result and how long it took', async () => {
  const code = "console.log('lamp', 1); console.warn('hot'); ({ on: true })"
  await using visit = await panels.show({ kind: 'script-runner', state: { code } })
  const { page } = visit
  await run(page).click()
  await output(page)
    .getByText(/^Done in \d+ ms$/)
    .waitFor()
  expect(await output(page).locator('pre').allInnerTexts()).toEqual([
    'lamp 1',
    'hot',
    '{\n  "on": true\n}',
    expect.stringMatching(/^Done in/),
  ])
  const logged = await page.evaluate(() =>
    bench.logged().map(({ source, level, text, about }) => [source, level, text, about]),
  )
  expect(logged).toEqual([
    ['console', 'info', 'lamp 1', 'Bench'],
    ['console', 'warn', 'hot', 'Bench'],
  ])
})

deepTest('[W-307] so does Ctrl+Enter; lines appear while it runs, and an error is told', async () => {
  await using visit = await panels.show({ kind: 'script-runner' })
  const { page } = visit
  await expect.poll(() => run(page).isEnabled(), soon).toBe(true)
  await write(
    page,
    "console.log('first'); await new Promise((resolve) => { globalThis.go = resolve }); throw new Error('no lamp')",
  )
  await page.keyboard.press('Control+Enter')
  await output(page).getByText('first').waitFor()
  expect(await output(page).getByText('no lamp').count()).toBe(0)
  for (const frame of page.frames()) await frame.evaluate(() => (globalThis as { go?: () => void }).go?.())
  await output(page).getByText('no lamp').waitFor()
  await output(page)
    .getByText(/^Failed after/)
    .waitFor()
  await expect.poll(async () => (await visit.stored()).length, soon).toBeGreaterThan(0)
  expect((await visit.stored()).at(-1)).toHaveProperty('code')
})

test('[W-308] an endless script is stopped, by hand and by the clock, and the next one runs', async () => {
  await using visit = await panels.show({ kind: 'script-runner', state: { code: 'while (true) {}' } })
  const { page } = visit
  await run(page).click()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await output(page)
    .getByText(/^Failed after/)
    .waitFor()
  await page.getByRole('button', { name: /Longest run/ }).click()
  await page.getByRole('option', { name: '1 second' }).click()
  await run(page).click()
  await output(page).getByText('timed out after 1000 ms').waitFor()
  await expect.poll(() => run(page).isEnabled(), soon).toBe(true)
  await write(page, '6 * 7')
  await run(page).click()
  await output(page).getByText('42', { exact: true }).waitFor()
}, 60_000)
