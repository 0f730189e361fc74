import type { Page } from '@patchbay/testkit/chromium'
import { expect, test } from 'vitest'
import { soon } from './files.ts'
import { panelNamed, useWorkspaces } from './workspace.ts'

const bench = useWorkspaces()
const course = (page: Page) => panelNamed(page, 'Curriculum')
const step = (page: Page, name: string) => course(page).getByRole('group', { name })

test('[W-585][W-580][W-582] the sample course is added, goes on after a reload, and opens a script beside it', async () => {
  const workspace = await bench.make()
  await workspace.add('curriculum')
  await using visit = await bench.open(workspace)
  const { page } = visit
  await course(page).getByRole('button', { name: 'Add the sample course' }).click()
  await course(page).getByRole('heading', { name: 'Blink' }).waitFor()
  expect(await workspace.files()).toContain('courses/from-blink-to-plot/blink.py')
  const run = step(page, 'Run it and read what the pin does')
  await expect.poll(() => run.getByRole('button', { name: 'Run' }).isEnabled(), soon).toBe(true)
  await run.getByRole('button', { name: 'Run' }).click()
  await run.getByText('pin 25 off').first().waitFor()
  await run.getByRole('img', { name: 'Done' }).waitFor()
  await course(page).getByLabel('Your answer').fill('3')
  await page.keyboard.press('Enter')
  await course(page).getByRole('button', { name: 'Finish and go on' }).click()
  await course(page).getByText('1 of 6 done').waitFor()
  // Kept on the server: another page of the same person goes on where they were.
  await page.reload()
  await course(page).getByRole('heading', { name: 'Keep the light alive' }).waitFor()
  await course(page)
    .getByRole('button', { name: /Lesson/ })
    .click()
  await page.getByRole('option', { name: 'Plot it' }).click()
  await step(page, 'Open the plot in a script runner').getByRole('button', { name: 'Open' }).click()
  await expect.poll(() => workspace.drawn(), soon).toBe('row(Curriculum* | Script runner*)')
  const runner = panelNamed(page, 'Script runner')
  await runner.getByRole('textbox', { name: 'courses/from-blink-to-plot/plot.py' }).waitFor()
  await expect
    .poll(() => runner.getByRole('button', { name: 'Run', exact: true }).isEnabled(), soon)
    .toBe(true)
  await runner.getByRole('button', { name: 'Run', exact: true }).click()
  await runner.getByText(/^from \d+\.\d to \d+\.\d degrees$/).waitFor()
  // The same panel, not a second one, for what it shows already.
  await step(page, 'Open the plot in a script runner').getByRole('button', { name: 'Open' }).click()
  expect(await workspace.drawn()).toBe('row(Curriculum* | Script runner*)')
}, 90_000)

test('[W-570] a script sets the file that a runner runs', async () => {
  const workspace = await bench.make()
  await workspace.write('tools/hello.py', 'print("from a file")\n')
  await workspace.add('script-runner', { initialState: { path: 'tools/hello.py' } })
  await using visit = await bench.open(workspace)
  const runner = panelNamed(visit.page, 'Script runner')
  await runner.getByRole('textbox', { name: 'tools/hello.py' }).waitFor()
  await expect
    .poll(() => runner.getByRole('button', { name: 'Run', exact: true }).isEnabled(), soon)
    .toBe(true)
  await runner.getByRole('button', { name: 'Run', exact: true }).click()
  await runner.getByText('from a file', { exact: true }).waitFor()
})
