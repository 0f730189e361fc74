import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { panelNamed, tabNamed, useWorkspaces } from './workspace.ts'

const bench = useWorkspaces()

test('[W-550] by keyboard: a split, a rename and a closing are undone and redone, with what was typed', async () => {
  const workspace = await bench.make()
  const { panelId } = await workspace.add('code-editor', { initialState: { text: 'void loop() {}' } })
  await workspace.add('system-log', { panelId })
  await using visit = await bench.open(workspace)
  const { page } = visit
  const drawn = (layout: string) => waitUntil(layout, async () => (await workspace.drawn()) === layout)
  await tabNamed(page, 'Code editor').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Split right' }).click()
  await drawn('row(System log* | Code editor*)')
  await tabNamed(page, 'System log').press('F2')
  await page.getByRole('textbox', { name: 'Title' }).fill('Log')
  await page.keyboard.press('Enter')
  await drawn('row(Log* | Code editor*)')
  await tabNamed(page, 'Code editor').press('Delete')
  await drawn('Log*')
  await tabNamed(page, 'Log').focus()
  await page.keyboard.press('Control+Z')
  await drawn('row(Log* | Code editor*)')
  await panelNamed(page, 'Code editor').locator('.cm-content').getByText('void loop() {}').waitFor()
  await page.keyboard.press('Control+Z')
  await drawn('row(System log* | Code editor*)')
  await page.keyboard.press('Control+Z')
  await drawn('Code editor System log*')
  await page.keyboard.press('Control+Shift+Z')
  await drawn('row(System log* | Code editor*)')
  // In a field it is the field's own.
  await panelNamed(page, 'Code editor').locator('.cm-content').click()
  await page.keyboard.press('Control+Z')
  await page.keyboard.type('x')
  await page.locator('.cm-content').getByText('x').waitFor()
  expect(await workspace.drawn()).toBe('row(System log* | Code editor*)')
})

test('[W-551] what an agent did meanwhile stays, and what it changed again is said', async () => {
  const workspace = await bench.make()
  const { panelId, tabId } = await workspace.add('code-editor')
  const log = await workspace.add('system-log', { panelId })
  await using visit = await bench.open(workspace)
  const { page } = visit
  for (const [title, next] of [
    ['Code editor', 'Left wheel'],
    ['System log', 'Right wheel'],
  ] as const) {
    await tabNamed(page, title).press('F2')
    await page.getByRole('textbox', { name: 'Title' }).fill(next)
    await page.keyboard.press('Enter')
    await tabNamed(page, next).waitFor()
  }
  await workspace.call('PATCH', `:workspace/current/tabs/${tabId}`, { displayName: 'Theirs' })
  await tabNamed(page, 'Theirs').focus()
  await page.keyboard.press('Control+Z')
  await tabNamed(page, 'System log').waitFor()
  await page.keyboard.press('Control+Z')
  await page.getByText('Someone has changed this meanwhile').first().waitFor()
  const { tabs } = await workspace.current()
  expect(tabs.map(({ displayName }) => displayName)).toEqual(['Theirs', 'System log'])
  expect(tabs[1]?.tabId).toBe(log.tabId)
})
