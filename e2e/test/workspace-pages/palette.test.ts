import { randomBytes } from 'node:crypto'
import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { makeAccount } from '../installation/accounts.ts'
import { files } from './files.ts'
import { panelNamed, tabNamed, useWorkspaces } from './workspace.ts'

const bench = useWorkspaces()
const palette = (page: Page) => page.getByRole('dialog', { name: 'Search and commands' })
const field = (page: Page) => palette(page).getByRole('combobox')
const option = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name })
const selected = (page: Page) => palette(page).locator('[role=option][aria-selected=true]')

test('[W-540] the keys open it also while typing, and close it; the focus is where it was', async () => {
  const workspace = await bench.make()
  await workspace.add('code-editor')
  await using visit = await bench.open(workspace)
  const { page } = visit
  await panelNamed(page, 'Code editor').locator('.cm-content').click()
  await page.keyboard.press('Control+K')
  await field(page).waitFor()
  await page.keyboard.press('Control+K')
  await palette(page).waitFor({ state: 'detached' })
  await page.locator('.cm-content:focus').waitFor()
  await page.keyboard.press('Meta+K')
  await field(page).waitFor()
  await page.keyboard.press('Escape')
  await palette(page).waitFor({ state: 'detached' })
  await page.locator('.cm-content:focus').waitFor()
  await page.getByRole('button', { name: /^Search and commands/ }).click()
  expect(await field(page).evaluate((input) => input === document.activeElement)).toBe(true)
})

test('[W-541][W-542][W-543] by keyboard: a tab, a command, a panel', async () => {
  const workspace = await bench.make()
  const { panelId } = await workspace.add('code-editor')
  await workspace.add('system-log', { panelId, displayName: 'Left wheel' })
  await using visit = await bench.open(workspace)
  const { page } = visit
  await tabNamed(page, 'Left wheel').waitFor()
  await page.keyboard.press('Control+K')
  const tabs = palette(page).getByRole('group', { name: 'Open tabs' })
  expect(await tabs.getByRole('option').allInnerTexts()).toEqual(['Code editor', 'Left wheel'])
  await page.keyboard.type('code ed')
  await option(page, 'Code editor').first().waitFor()
  expect(await field(page).getAttribute('aria-activedescendant')).toBe(
    await selected(page).getAttribute('id'),
  )
  await page.keyboard.press('Enter')
  await page.locator('[role=tab][aria-selected=true][aria-label="Code editor"]:focus').waitFor()

  await page.keyboard.press('Control+K')
  await page.keyboard.type('split ri')
  await option(page, /^Split right/).waitFor()
  expect(await selected(page).innerText()).toContain('Code editor')
  await page.keyboard.press('Enter')
  await waitUntil('it is split', async () => (await workspace.drawn()) === 'row(Left wheel* | Code editor*)')

  await page.keyboard.press('Control+K')
  await page.keyboard.type('view')
  await palette(page).getByRole('group', { name: 'Add a panel' }).getByRole('option').first().waitFor()
  await palette(page)
    .getByText(/^\d+ results$/)
    .waitFor()
  const first = await selected(page).innerText()
  await page.keyboard.press('ArrowDown')
  expect(await selected(page).innerText()).not.toBe(first)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await waitUntil('it is added', async () => (await workspace.current()).tabs.length === 3)
  expect(await palette(page).count()).toBe(0)
})

deepTest('[W-541][W-542] a file is found by its name and opened in the Files panel', async () => {
  const workspace = await bench.make()
  await workspace.write('firmware/src/main.c', 'int main(void) { return 0; }\n')
  await workspace.write('README.md', '# Lamp\n')
  await using visit = await bench.open(workspace)
  const { page } = visit
  await page.keyboard.press('Control+K')
  await page.keyboard.type('mainc')
  await option(page, /^main\.c/).click()
  const shown = files(page).getByRole('region', { name: 'main.c' })
  await shown.getByText('int main(void)').waitFor()
  await page.keyboard.press('Control+K')
  await page.keyboard.type('readme')
  await option(page, /^README\.md/).waitFor()
  await page.keyboard.press('Enter')
  await files(page).getByRole('region', { name: 'README.md' }).getByText('# Lamp').waitFor()
  expect((await workspace.current()).tabs.map(({ kind }) => kind)).toEqual(['files'])
})

deepTest(
  '[W-542] settings and dialogs: the theme changes, the agents open, and nothing found says so',
  async () => {
    const workspace = await bench.make()
    await using visit = await bench.open(workspace)
    const { page } = visit
    const run = async (typed: string, name: RegExp) => {
      await page.keyboard.press('Control+K')
      await page.keyboard.type(typed)
      await option(page, name).click()
    }
    await run('theme dark', /Dark/)
    await page.locator('html[data-theme=dark]').waitFor()
    await run('agents', /^Agents/)
    await page.getByRole('dialog', { name: 'Agents' }).waitFor()
    await page.keyboard.press('Control+K')
    expect(await palette(page).count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Agents' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Control+K')
    await page.keyboard.type('qqqq zzzz')
    await palette(page).getByText('No results').waitFor()
    expect(await option(page, /./).count()).toBe(0)
  },
)

deepTest('[W-544] a question mark opens the sheet, and while typing it is only typed', async () => {
  const workspace = await bench.make()
  await workspace.add('code-editor')
  await using visit = await bench.open(workspace)
  const { page } = visit
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await panelNamed(page, 'Code editor').locator('.cm-content').click()
  await page.keyboard.type('?')
  await page.locator('.cm-content').getByText('?').waitFor()
  expect(await sheet.count()).toBe(0)
  await tabNamed(page, 'Code editor').focus()
  await page.keyboard.press('?')
  await sheet.waitFor()
  const rows = await sheet.locator('dl > div').allInnerTexts()
  expect(rows.map((row) => row.replace(/\s+/g, ' '))).toEqual(
    expect.arrayContaining([
      'Search and commands Ctrl+K',
      'Rename F2',
      'Close Delete',
      'Keyboard shortcuts ?',
    ]),
  )
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+K')
  expect(await option(page, /^Rename/).innerText()).toContain('F2')
  expect(await option(page, /^Rename/).getAttribute('aria-keyshortcuts')).toBe('F2')
  await option(page, /^Rename/).click()
  await page.getByRole('dialog', { name: 'Rename the tab' }).waitFor()
})

deepTest('[W-544] who may only look is offered what they may do', async () => {
  const member = await makeAccount(bench.site, `looks-${randomBytes(3).toString('hex')}`)
  const workspace = await bench.make({ members: [member] })
  await workspace.add('code-editor')
  await workspace.write('README.md', '# Lamp\n')
  await using visit = await bench.open(workspace, { as: member })
  const { page } = visit
  await tabNamed(page, 'Code editor').waitFor()
  await page.keyboard.press('Control+K')
  await option(page, /^Agents/).waitFor()
  expect(await option(page, /^Add panel|^Split|^Close|^Rename|^Reopen/).count()).toBe(0)
  await page.keyboard.type('readme')
  await palette(page).getByText('No results').waitFor()
  expect(await option(page, /README/).count()).toBe(0)
})
