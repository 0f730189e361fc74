import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { makeAccount } from '../installation/accounts.ts'
import { files, rowNamed } from './files.ts'
import { panelNamed, useWorkspaces, type Workspace } from './workspace.ts'

const bench = useWorkspaces()
const soon = { timeout: 20_000 }
const PANEL = 'Code editor'
const editor = (page: Page, path: string) =>
  panelNamed(page, PANEL).getByRole('textbox', { name: path, exact: true })
const textIn = async (page: Page, path: string) =>
  (await editor(page, path).locator('.cm-line').allInnerTexts())
    .map((line) => line.replace('\n', ''))
    .join('\n')
const status = (page: Page) => panelNamed(page, PANEL).getByRole('status')

async function makeEditor(texts: Readonly<Record<string, string>>): Promise<Workspace> {
  const workspace = await bench.make()
  for (const [path, text] of Object.entries(texts)) await workspace.write(path, text)
  const paths = Object.keys(texts)
  await workspace.add('code-editor', { initialState: { files: paths, active: paths[0] } })
  return workspace
}

async function typeAtEnd(page: Page, path: string, text: string): Promise<void> {
  await editor(page, path).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.insertText(text)
}

/** The next request of this kind waits at the door, until it is let go. */
async function heldBack(page: Page, address: RegExp) {
  const asked = Promise.withResolvers<void>()
  const free = Promise.withResolvers<void>()
  await page.route(
    address,
    async (route) => {
      asked.resolve()
      await free.promise
      await route.continue()
    },
    { times: 1 },
  )
  return { asked: asked.promise, letGo: free.resolve }
}

test('[W-600] files are opened by name or created, each in a tab, and closed again', async () => {
  const workspace = await bench.make()
  await workspace.write('src/main.js', 'const lamp = 1\n')
  await workspace.add('code-editor')
  await using visit = await bench.open(workspace)
  const { page } = visit
  const panel = panelNamed(page, PANEL)
  const openDialog = async (typed: string) => {
    await panel.getByRole('button', { name: 'Open a workspace file' }).click()
    await page.getByRole('dialog').getByLabel('Find or create a file').fill(typed)
  }
  await openDialog('MAIN')
  await page.getByRole('dialog').getByRole('button', { name: 'src/main.js' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => textIn(page, 'src/main.js'), soon).toBe('const lamp = 1\n')
  await editor(page, 'src/main.js').getByText('const', { exact: true }).waitFor()
  await openDialog('notes/today.md')
  await page.getByRole('dialog').getByRole('button', { name: 'Create notes/today.md' }).click()
  await editor(page, 'notes/today.md').waitFor()
  expect(await panel.getByRole('tab').allInnerTexts()).toEqual(['main.js', 'today.md'])
  await typeAtEnd(page, 'notes/today.md', 'solder')
  await expect.poll(() => workspace.read('notes/today.md'), soon).toBe('solder')
  await panel.getByRole('tab', { name: 'main.js' }).click()
  await editor(page, 'src/main.js').waitFor()
  await panel.getByRole('button', { name: 'Close file' }).click()
  await editor(page, 'notes/today.md').waitFor()
  expect(await panel.getByRole('tab').allInnerTexts()).toEqual(['today.md'])
  await panel.getByRole('button', { name: 'Close file' }).click()
  // Without a file it is the panel's own text again.
  await panel.getByLabel('File name').waitFor()
})

test('[W-601] what one types the other sees, with their cursor, and both see when it is saved', async () => {
  const workspace = await makeEditor({ 'notes.txt': 'base' })
  await using one = await bench.open(workspace)
  await using two = await bench.open(workspace)
  for (const { page } of [one, two]) await expect.poll(() => textIn(page, 'notes.txt'), soon).toBe('base')
  await Promise.all([
    typeAtEnd(one.page, 'notes.txt', ' of one'),
    typeAtEnd(two.page, 'notes.txt', ' of two'),
  ])
  const both = /^base( of one of two| of two of one)$/
  await expect.poll(() => textIn(one.page, 'notes.txt'), soon).toMatch(both)
  await expect
    .poll(async () => await textIn(two.page, 'notes.txt'), soon)
    .toBe(await textIn(one.page, 'notes.txt'))
  for (const { page } of [one, two]) {
    await expect.poll(() => status(page).innerText(), soon).toBe('Saved')
    await editor(page, 'notes.txt').locator('.pb-caret').waitFor({ state: 'attached' })
    expect(await editor(page, 'notes.txt').locator('.pb-caret').getAttribute('data-name')).toBe(
      workspace.owner.handle,
    )
  }
  expect(await workspace.read('notes.txt')).toMatch(both)
  // Undo takes back one's own words and nobody else's.
  await one.page.keyboard.press('Control+z')
  await expect.poll(() => textIn(two.page, 'notes.txt'), soon).toBe('base of two')
})

test('[W-602] what is typed without a connection is kept, and joined with what others wrote meanwhile', async () => {
  const workspace = await makeEditor({ 'notes.txt': 'first\nlast' })
  await using one = await bench.open(workspace, { expectedFaults: [/ERR_INTERNET_DISCONNECTED/] })
  const { page } = one
  await expect.poll(() => textIn(page, 'notes.txt'), soon).toBe('first\nlast')
  await page.context().setOffline(true)
  await page.getByRole('banner').getByText('Connected', { exact: true }).waitFor({ state: 'detached' })
  await typeAtEnd(page, 'notes.txt', ' words')
  await expect.poll(() => status(page).innerText(), soon).toBe('Unsaved changes')
  await panelNamed(page, PANEL).getByRole('img', { name: 'Unsaved changes' }).waitFor()
  await workspace.write('notes.txt', 'FIRST\nlast')
  await page.context().setOffline(false)
  await expect.poll(() => textIn(page, 'notes.txt'), soon).toBe('FIRST\nlast words')
  await expect.poll(() => workspace.read('notes.txt'), soon).toBe('FIRST\nlast words')
  await expect.poll(() => status(page).innerText(), soon).toBe('Saved')
})

deepTest('[W-603] a file that is moved is followed, one that is deleted can be restored', async () => {
  const workspace = await makeEditor({ 'notes.txt': 'text' })
  await using one = await bench.open(workspace)
  const { page } = one
  const panel = panelNamed(page, PANEL)
  await expect.poll(() => textIn(page, 'notes.txt'), soon).toBe('text')
  await workspace.callAsOwner('POST', ':workspace/files/changes', {
    operations: [{ op: 'move', path: 'notes.txt', to: 'docs/notes.md' }],
  })
  await expect.poll(() => textIn(page, 'docs/notes.md'), soon).toBe('text')
  expect(await panel.getByRole('tab').allInnerTexts()).toEqual(['notes.md'])
  await typeAtEnd(page, 'docs/notes.md', ' and more')
  await expect.poll(() => workspace.read('docs/notes.md'), soon).toBe('text and more')
  await workspace.callAsOwner('POST', ':workspace/files/changes', {
    operations: [{ op: 'delete', path: 'docs/notes.md' }],
  })
  await panel.getByText('This file was deleted').waitFor()
  await panel.getByRole('button', { name: 'Restore file' }).click()
  await panel.getByText('This file was deleted').waitFor({ state: 'detached' })
  await typeAtEnd(page, 'docs/notes.md', '!')
  await expect.poll(() => workspace.read('docs/notes.md'), soon).toBe('text and more!')
})

deepTest(
  '[W-603] what is typed while a deleted file is being restored is in it, and the cursor stays',
  async () => {
    const workspace = await makeEditor({ 'notes.txt': 'text' })
    await using one = await bench.open(workspace)
    const { page } = one
    const panel = panelNamed(page, PANEL)
    await expect.poll(() => textIn(page, 'notes.txt'), soon).toBe('text')
    await workspace.callAsOwner('POST', ':workspace/files/changes', {
      operations: [{ op: 'delete', path: 'notes.txt' }],
    })
    await panel.getByText('This file was deleted').waitFor()
    await typeAtEnd(page, 'notes.txt', ' kept')
    const writing = await heldBack(page, /\/files\/content\?/)
    const reading = await heldBack(page, /\/files\/document\?/)
    await panel.getByRole('button', { name: 'Restore file' }).click()
    await writing.asked
    await typeAtEnd(page, 'notes.txt', ' while it is written')
    writing.letGo()
    await reading.asked
    await page.keyboard.insertText(' and read')
    reading.letGo()
    const all = 'text kept while it is written and read'
    await expect.poll(() => workspace.read('notes.txt'), soon).toBe(all)
    await page.keyboard.insertText('!')
    await expect.poll(() => workspace.read('notes.txt'), soon).toBe(`${all}!`)
    await expect.poll(() => status(page).innerText(), soon).toBe('Saved')
  },
)

deepTest('[W-603] whoever types while the file is moved types on in it', async () => {
  const workspace = await makeEditor({ 'notes.txt': 'first\nlast' })
  await using one = await bench.open(workspace)
  const { page } = one
  await expect.poll(() => textIn(page, 'notes.txt'), soon).toBe('first\nlast')
  await editor(page, 'notes.txt').getByText('first').click()
  await page.keyboard.press('End')
  const reading = await heldBack(page, /\/files\/document\?/)
  await workspace.callAsOwner('POST', ':workspace/files/changes', {
    operations: [{ op: 'move', path: 'notes.txt', to: 'docs/notes.txt' }],
  })
  await reading.asked
  await page.keyboard.insertText(' words')
  reading.letGo()
  await expect.poll(() => workspace.read('docs/notes.txt'), soon).toBe('first words\nlast')
  await page.keyboard.insertText(' more')
  await expect.poll(() => workspace.read('docs/notes.txt'), soon).toBe('first words more\nlast')
  await page.keyboard.press('Control+z')
  await expect.poll(() => workspace.read('docs/notes.txt'), soon).not.toContain('more')
})

test('[W-603] that a file was deleted is told to whoever was away as well', async () => {
  const workspace = await makeEditor({ 'notes.txt': 'text' })
  await using one = await bench.open(workspace, {
    expectedFaults: [/ERR_INTERNET_DISCONNECTED/, /status of 404/],
  })
  const { page } = one
  const panel = panelNamed(page, PANEL)
  await expect.poll(() => textIn(page, 'notes.txt'), soon).toBe('text')
  await page.context().setOffline(true)
  await page.getByRole('banner').getByText('Connected', { exact: true }).waitFor({ state: 'detached' })
  await workspace.callAsOwner('POST', ':workspace/files/changes', {
    operations: [{ op: 'delete', path: 'notes.txt' }],
  })
  await page.context().setOffline(false)
  await panel.getByText('This file was deleted').waitFor()
  await panel.getByRole('button', { name: 'Restore file' }).click()
  await expect.poll(() => workspace.read('notes.txt'), soon).toBe('text')
})

async function typeOffline(page: Page): Promise<void> {
  await expect.poll(() => textIn(page, 'notes.txt'), soon).toBe('text')
  await page.context().setOffline(true)
  await page.getByRole('banner').getByText('Connected', { exact: true }).waitFor({ state: 'detached' })
  await typeAtEnd(page, 'notes.txt', ' typed offline')
  await expect.poll(() => status(page).innerText(), soon).toBe('Unsaved changes')
}

async function move(workspace: Workspace, path: string, to: string): Promise<void> {
  await workspace.callAsOwner('POST', ':workspace/files/changes', { operations: [{ op: 'move', path, to }] })
}

const filesInTab = async (workspace: Workspace) => {
  const [tab] = (await workspace.current()).tabs
  return (tab?.state as { files?: string[] } | undefined)?.files
}

async function expectSentOnReturn({ page }: { page: Page }, workspace: Workspace): Promise<void> {
  await page.context().setOffline(false)
  const all = 'text typed offline'
  await expect.poll(() => workspace.read('docs/moved.txt'), soon).toBe(all)
  await expect.poll(() => textIn(page, 'docs/moved.txt'), soon).toBe(all)
  await expect.poll(() => status(page).innerText(), soon).toBe('Saved')
  expect(await filesInTab(workspace)).toEqual(['docs/moved.txt'])
  await typeAtEnd(page, 'docs/moved.txt', ', and on')
  await expect.poll(() => workspace.read('docs/moved.txt'), soon).toBe(`${all}, and on`)
  await expect.poll(() => status(page).innerText(), soon).toBe('Saved')
  await page.keyboard.press('Control+z')
  await expect.poll(() => workspace.read('docs/moved.txt'), soon).not.toContain('and on')
}

test('[W-840] what is typed offline goes to the file where it was moved to', async () => {
  const workspace = await makeEditor({ 'notes.txt': 'text' })
  const expectedFaults = [/ERR_INTERNET_DISCONNECTED/, /status of 404/]
  await using one = await bench.open(workspace, { expectedFaults })
  await typeOffline(one.page)
  await move(workspace, 'notes.txt', 'docs/notes.txt')
  await move(workspace, 'docs/notes.txt', 'docs/moved.txt')
  expect(await filesInTab(workspace)).toEqual(['notes.txt'])
  await expectSentOnReturn(one, workspace)
})

deepTest('[W-840] so it does when somebody else’s page has moved the tab meanwhile', async () => {
  const workspace = await makeEditor({ 'notes.txt': 'text' })
  const expectedFaults = [/ERR_INTERNET_DISCONNECTED/, /status of 404/]
  await using one = await bench.open(workspace, { expectedFaults })
  await typeOffline(one.page)
  await using two = await bench.open(workspace)
  await expect.poll(() => textIn(two.page, 'notes.txt'), soon).toBe('text')
  await move(workspace, 'notes.txt', 'docs/moved.txt')
  await expect.poll(() => textIn(two.page, 'docs/moved.txt'), soon).toBe('text')
  await expect.poll(() => filesInTab(workspace), soon).toEqual(['docs/moved.txt'])
  await expectSentOnReturn(one, workspace)
})

test('[W-604] the panel’s own text becomes a file, under a name that is free', async () => {
  const workspace = await bench.make()
  await workspace.write('lamp.py', 'taken')
  await workspace.add('code-editor', { initialState: { text: 'import lamp', fileName: 'lamp.py' } })
  // The name is tried before it is known to be taken.
  await using one = await bench.open(workspace, { expectedFaults: [/status of 412/] })
  const { page } = one
  await panelNamed(page, PANEL).getByRole('button', { name: 'Save to files' }).click()
  await expect.poll(() => textIn(page, 'lamp 2.py'), soon).toBe('import lamp')
  expect(await workspace.read('lamp 2.py')).toBe('import lamp')
  expect(await workspace.read('lamp.py')).toBe('taken')
  const [tab] = (await workspace.current()).tabs
  expect(tab?.state).toEqual({ files: ['lamp 2.py'], active: 'lamp 2.py' })
})

test('[W-605] whoever may only look sees what is typed and changes nothing', async () => {
  const member = await makeAccount(bench.site, `eve-${Date.now().toString(36)}`)
  const workspace = await bench.make({ members: [member] })
  await workspace.write('notes.txt', 'text')
  await workspace.add('code-editor', { initialState: { files: ['notes.txt'], active: 'notes.txt' } })
  await using one = await bench.open(workspace)
  await using two = await bench.open(workspace, { as: member })
  await expect.poll(() => textIn(two.page, 'notes.txt'), soon).toBe('text')
  await editor(two.page, 'notes.txt').click()
  await two.page.keyboard.insertText('mine')
  await typeAtEnd(one.page, 'notes.txt', ' and more')
  await expect.poll(() => textIn(two.page, 'notes.txt'), soon).toBe('text and more')
  expect(await panelNamed(two.page, PANEL).getByRole('button', { name: 'Close file' }).isDisabled()).toBe(
    true,
  )
})

test('[W-606] what is too much for one edit is not taken, and told', async () => {
  const workspace = await makeEditor({ 'notes.txt': 'text' })
  await using one = await bench.open(workspace)
  const { page } = one
  await expect.poll(() => textIn(page, 'notes.txt'), soon).toBe('text')
  await typeAtEnd(page, 'notes.txt', 'x'.repeat(100_001))
  await panelNamed(page, PANEL).getByText('That is too much text at once').waitFor()
  expect(await textIn(page, 'notes.txt')).toBe('text')
  await typeAtEnd(page, 'notes.txt', '!')
  await panelNamed(page, PANEL).getByText('That is too much text at once').waitFor({ state: 'detached' })
  await expect.poll(() => workspace.read('notes.txt'), soon).toBe('text!')
})

test('[W-607] a file of the Files panel is opened in the code editor that is there, or a new one beside it', async () => {
  const workspace = await bench.make()
  await workspace.write('a.txt', 'first')
  await workspace.write('b.txt', 'second')
  await workspace.add('files')
  await using one = await bench.open(workspace)
  const { page } = one
  for (const [path, text] of [
    ['a.txt', 'first'],
    ['b.txt', 'second'],
  ] as const) {
    await rowNamed(page, path).press('Enter')
    await files(page).getByRole('button', { name: 'Edit in the code editor' }).click()
    await expect.poll(() => textIn(page, path), soon).toBe(text)
  }
  const editors = (await workspace.current()).tabs.filter(({ kind }) => kind === 'code-editor')
  expect(editors.map(({ state }) => state)).toEqual([{ files: ['a.txt', 'b.txt'], active: 'b.txt' }])
})
