import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, sample } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { cuttable } from './cuttable.ts'
import { panelNamed, tabNamed, useWorkspaces, type Workspace } from './workspace.ts'

const bench = useWorkspaces()

const editorText = (page: Page) => panelNamed(page, 'Code editor').locator('.cm-content')

/** A workspace whose editor stands beside a web view, opened with a text that is stored. */
async function withText(): Promise<{ workspace: Workspace; drawn: string }> {
  const workspace = await bench.make()
  const first = await workspace.add('webview')
  await workspace.add('code-editor', {
    panelId: first.panelId,
    direction: 'right',
    initialState: { text: 'void loop() {}' },
  })
  return { workspace, drawn: await workspace.drawn() }
}

test.each(
  sample([
    ['its cross', (page: Page) => tabNamed(page, 'Code editor').getByTitle('Close').click()],
    [
      'Delete',
      async (page: Page) => {
        await tabNamed(page, 'Code editor').focus()
        await page.keyboard.press('Delete')
      },
    ],
    [
      'the menu',
      async (page: Page) => {
        await tabNamed(page, 'Code editor').click({ button: 'right' })
        await page.getByRole('menuitem', { name: /^Close/ }).click()
      },
    ],
  ]),
)('[W-414] L1: a tab closed with %s is back with its text after one press', async (_, close) => {
  const { workspace, drawn } = await withText()
  await using visit = await bench.open(workspace)
  const { page } = visit
  await editorText(page).waitFor()
  await close(page)
  const toast = page.getByRole('alertdialog').filter({ hasText: 'Closed Code editor' })
  await toast.waitFor()
  await tabNamed(page, 'Code editor').waitFor({ state: 'detached' })
  await toast.getByRole('button', { name: 'Undo' }).click()
  await editorText(page).getByText('void loop() {}').waitFor()
  await waitUntil('it is where it was', async () => (await workspace.drawn()) === drawn)
  await page.reload()
  expect(await editorText(page).innerText()).toContain('void loop() {}')
})

deepTest('[W-414] what was typed a moment before is not lost', async () => {
  const { workspace } = await withText()
  await using visit = await bench.open(workspace)
  const { page } = visit
  await editorText(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' // last words')
  await tabNamed(page, 'Code editor').getByTitle('Close').click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await editorText(page).getByText('// last words').waitFor()
  expect(await editorText(page).innerText()).toContain('void loop() {} // last words')
})

deepTest(
  '[W-428] what was typed without a connection is offered when somebody has closed the tab',
  async () => {
    const { workspace } = await withText()
    const [tab] = (await workspace.current()).tabs.filter(({ kind }) => kind === 'code-editor')
    await using visit = await bench.visit()
    const { page } = visit
    const line = await cuttable(page, /\/api\/workspaces\/socket$/)
    await bench.openIn(visit, workspace)
    await editorText(page).waitFor()
    await line.cut()
    await page.getByText('Connection lost').waitFor()
    await editorText(page).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.insertText(' // on the train')
    await workspace.call('DELETE', `:workspace/current/tabs/${tab?.tabId}`)
    line.mend()
    const toast = page.getByRole('alertdialog').filter({ hasText: 'Your text in “Code editor” isn’t saved' })
    await toast.waitFor()
    expect(await page.getByRole('alertdialog').count()).toBe(1)
    await toast.getByRole('button', { name: 'Open in a new tab' }).click()
    const stored = async () => (await workspace.current()).tabs.map(({ state }) => state?.['text'])
    await expect.poll(stored, { timeout: 20_000 }).toContain('void loop() {} // on the train')
  },
)

deepTest('[W-414] closed tabs come back from the menu, the dialog and the empty workspace', async () => {
  const { workspace } = await withText()
  await using visit = await bench.open(workspace)
  const { page } = visit
  await tabNamed(page, 'Code editor').getByTitle('Close').click()
  await tabNamed(page, 'Web view').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Reopen closed tab' }).click()
  await editorText(page).getByText('void loop() {}').waitFor()
  for (const title of ['Code editor', 'Web view']) {
    await tabNamed(page, title).getByTitle('Close').click()
    await tabNamed(page, title).waitFor({ state: 'detached' })
  }
  await page.getByRole('main').getByRole('button', { name: 'Reopen closed tab' }).click()
  await tabNamed(page, 'Web view').waitFor()
  await page.getByRole('button', { name: 'Add panel', exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Code editor Closed/ })
    .click()
  await editorText(page).getByText('void loop() {}').waitFor()
  await page.keyboard.press('Control+Shift+T')
  expect(await page.getByText('No tab was closed in the last 30 days').first().innerText()).toBeTruthy()
})

deepTest(
  '[W-414] of several that were closed only the last has its line, and the others are in the dialog',
  async () => {
    const { workspace } = await withText()
    await using visit = await bench.open(workspace)
    const { page } = visit
    for (const title of ['Code editor', 'Web view']) {
      await tabNamed(page, title).getByTitle('Close').click()
      await tabNamed(page, title).waitFor({ state: 'detached' })
    }
    await page.getByRole('alertdialog').filter({ hasText: 'Closed Web view' }).waitFor()
    await page
      .getByRole('alertdialog')
      .filter({ hasText: 'Closed Code editor' })
      .waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Add panel', exact: true }).click()
    const closed = page.getByRole('dialog').getByRole('button', { name: /Closed just now/ })
    await closed.first().waitFor()
    expect(await closed.count()).toBe(2)
  },
)
