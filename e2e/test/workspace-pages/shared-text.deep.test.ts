import type { Page } from '@patchbay/testkit/chromium'
import { expect, test } from 'vitest'
import { panelNamed, tabNamed, useWorkspaces, type Workspace } from './workspace.ts'

const bench = useWorkspaces()
const soon = { timeout: 20_000 }
const editor = (page: Page, title = 'Code editor') =>
  panelNamed(page, title).getByRole('textbox', { name: title, exact: true })
const textIn = async (page: Page, title?: string) =>
  (await editor(page, title).locator('.cm-line').allInnerTexts()).join('\n')
const conflict = (page: Page) => page.getByText('Changed in another browser')
const told = (page: Page) => page.getByText('Another browser has a different version')
const storedTexts = async (workspace: Workspace) =>
  (await workspace.current()).tabs.map(({ state }) => state?.['text'])

async function goToEnd(page: Page): Promise<void> {
  await editor(page).click()
  await page.keyboard.press('Control+End')
}

async function type(page: Page, text: string): Promise<void> {
  await goToEnd(page)
  await page.keyboard.insertText(text)
}

/** Two browsers have stored different texts in the same moment. */
async function collide(workspace: Workspace, pages: readonly [Page, Page]) {
  for (const page of pages) {
    await expect.poll(() => textIn(page), soon).toBe('base')
    await goToEnd(page)
  }
  // Stored half a second later: neither has seen what the other wrote.
  await Promise.all(pages.map((page, index) => page.keyboard.insertText(` of ${index}`)))
  await Promise.any(pages.map((page) => conflict(page).waitFor())).catch(({ errors }: AggregateError) => {
    throw errors[0]
  })
  const isFirst = (await conflict(pages[0]).count()) === 0
  const [stored, unstored] = isFirst ? ([0, 1] as const) : ([1, 0] as const)
  expect(await storedTexts(workspace)).toEqual([`base of ${stored}`])
  return {
    winner: pages[stored],
    loser: pages[unstored],
    kept: `base of ${stored}`,
    other: `base of ${unstored}`,
  }
}

test('[W-420][W-421] L2: two browsers write at once: both texts stay, both sides are told, both can be kept', async () => {
  const workspace = await bench.make()
  await workspace.add('code-editor', { initialState: { text: 'base' } })
  await using one = await bench.open(workspace)
  await using two = await bench.open(workspace)
  const { winner, loser, kept, other } = await collide(workspace, [one.page, two.page])
  await told(winner).waitFor()
  expect(await textIn(winner)).toBe(kept)
  expect(await textIn(loser)).toBe(other)
  // What is typed, left and hidden meanwhile is not stored; what the other side types is.
  await type(loser, '!')
  await loser.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await type(winner, ' and more')
  await expect.poll(() => storedTexts(workspace), soon).toEqual([`${kept} and more`])
  expect(await textIn(loser)).toBe(`${other}!`)

  await loser.getByRole('button', { name: 'Keep both' }).click()
  await tabNamed(loser, 'Code editor (copy)').waitFor()
  await expect.poll(() => storedTexts(workspace), soon).toEqual([`${kept} and more`, `${other}!`])
  for (const page of [winner, loser]) {
    await expect.poll(() => textIn(page, 'Code editor (copy)'), soon).toBe(`${other}!`)
    expect(await conflict(page).count()).toBe(0)
  }
  await told(winner).waitFor({ state: 'detached' })
})

test('[W-303][W-421] L2: whose text is replaced is told, and keeps a copy', async () => {
  const workspace = await bench.make()
  await workspace.add('code-editor', { initialState: { text: 'base' } })
  await using one = await bench.open(workspace)
  await using two = await bench.open(workspace)
  const { winner, loser, kept, other } = await collide(workspace, [one.page, two.page])
  await told(winner).waitFor()
  await loser.getByRole('button', { name: 'Keep mine' }).click()
  await winner.getByText('Another browser replaced your text').waitFor()
  await expect.poll(() => textIn(winner), soon).toBe(other)
  await winner.getByRole('button', { name: 'Keep a copy' }).click()
  await expect.poll(() => storedTexts(workspace), soon).toEqual([other, kept])
})

test('[W-420][W-421] L2: leaving a page with a conflict asks first, and after that nobody waits for it', async () => {
  const workspace = await bench.make()
  await workspace.add('code-editor', { initialState: { text: 'base' } })
  await using one = await bench.open(workspace)
  await using two = await bench.open(workspace)
  const { winner, loser, kept } = await collide(workspace, [one.page, two.page])
  await told(winner).waitFor()
  const asked = loser.waitForEvent('dialog')
  const reloaded = loser.reload()
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.accept()
  await reloaded
  await expect.poll(() => textIn(loser), soon).toBe(kept)
  await expect.poll(() => told(winner).count(), soon).toBe(0)
  expect(await storedTexts(workspace)).toEqual([kept])
})
