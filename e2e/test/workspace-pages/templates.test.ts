import { expect, test } from 'vitest'
import { files, rowNamed } from './files.ts'
import { panelNamed, tabNamed, useWorkspaces } from './workspace.ts'

const bench = useWorkspaces()

test('[W-555][D-384] a workspace that is made from a template opens with its panels and its files', async () => {
  await using visit = await bench.visitAs()
  const { page } = visit
  await page.goto(`${bench.site.url}/workspaces`)
  await page.getByRole('textbox', { name: 'Repository' }).fill('lessons')
  await page.getByText('No panels and no files.').waitFor()
  await page.getByRole('button', { name: /Start from/ }).click()
  expect(await page.getByRole('option').allInnerTexts()).toEqual([
    'Empty',
    'Sample: night lamp',
    'Board bring-up',
    'Robot',
    'Course',
  ])
  await page.getByRole('option', { name: 'Course' }).click()
  await page.getByText('Lessons in Markdown').waitFor()
  await page.getByRole('button', { name: 'Create and open' }).click()
  for (const title of ['Files', 'Try it', 'Sandbox', 'System log']) await tabNamed(page, title).waitFor()
  await panelNamed(page, 'Try it').locator('.cm-content').getByText('no board needed').waitFor()
  await rowNamed(page, 'main.js').press('Enter')
  await files(page).getByRole('region', { name: 'main.js' }).getByText('Runs in the script runner').waitFor()
  await files(page)
    .getByText(/^5 files/)
    .waitFor()
})
