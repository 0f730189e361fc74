import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { shows } from '../identity-pages/bench.ts'
import { tabNamed, useWorkspaces } from './workspace.ts'

const bench = useWorkspaces()

const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: element } = document
    return `${element?.getAttribute('role') ?? element?.tagName} ${element?.getAttribute('aria-label') ?? element?.textContent}`
  })

/** Presses Tab until a control has the focus. */
async function tabTo(page: Page, wanted: string): Promise<void> {
  for (let press = 0; press < 40; press += 1) {
    if ((await focused(page)) === wanted) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never came to ${wanted}`)
}

async function chooseInMenu(page: Page, entry: string): Promise<void> {
  await page.getByRole('menu').waitFor()
  for (let press = 0; press < 20; press += 1) {
    // The key that does the same stands beside the name, for eyes only.
    const name = await page.evaluate(
      () => document.activeElement?.querySelector(':scope > :not([aria-hidden])')?.textContent,
    )
    if (name === entry) return await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`no ${entry} in the menu`)
}

async function addByKeyboard(page: Page, words: string): Promise<void> {
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type(words)
  await page.getByText(/^1 panel\b/).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

deepTest(
  '[W-260] adding, moving, resizing, renaming and closing panels with the keyboard alone',
  async () => {
    const workspace = await bench.make()
    await using visit = await bench.open(workspace)
    const { page } = visit
    const eventually = (drawn: string) =>
      waitUntil(`the layout is ${drawn}`, async () => (await workspace.drawn()) === drawn)
    await page.getByRole('button', { name: 'Add the first panel' }).waitFor()

    await tabTo(page, 'BUTTON Add panel')
    await page.keyboard.press('Enter')
    await addByKeyboard(page, 'code-editor')
    await tabNamed(page, 'Code editor').and(page.locator(':focus')).waitFor()

    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('BUTTON Add a panel beside Code editor')
    await page.keyboard.press('Enter')
    await addByKeyboard(page, 'system-log')
    await eventually('Code editor System log*')
    await tabNamed(page, 'System log').and(page.locator(':focus')).waitFor()

    await page.keyboard.press('Enter')
    await chooseInMenu(page, 'Split right')
    await eventually('row(Code editor* | System log*)')
    await tabNamed(page, 'System log').and(page.locator(':focus')).waitFor()

    await page.keyboard.press('Shift+F10')
    await chooseInMenu(page, 'Make wider')
    await page.locator('[role=separator][aria-valuenow="45"]').waitFor()
    await tabNamed(page, 'System log').and(page.locator(':focus')).waitFor()

    await page.keyboard.press('Shift+F10')
    await chooseInMenu(page, 'Move to the group of Code editor')
    await eventually('Code editor System log*')
    await tabNamed(page, 'System log').and(page.locator(':focus')).waitFor()

    await page.keyboard.press('ArrowLeft')
    expect(await focused(page)).toBe('tab Code editor')
    await page.keyboard.press('Enter')
    await eventually('Code editor* System log')

    await page.keyboard.press('Delete')
    await eventually('System log*')
    await tabNamed(page, 'System log').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await chooseInMenu(page, 'Close')
    await eventually('')
    await page.getByRole('button', { name: 'Add the first panel' }).and(page.locator(':focus')).waitFor()
  },
)

test('[W-262] a tab is renamed with F2, its blanks tidied', async () => {
  const workspace = await bench.make()
  await workspace.add('code-editor')
  await using visit = await bench.open(workspace)
  const { page } = visit
  await tabNamed(page, 'Code editor').press('F2')
  const field = page.getByRole('textbox', { name: 'Title' })
  await field.fill('  Left   wheel ')
  await field.press('Enter')
  expect(await shows(tabNamed(page, 'Left wheel').and(page.locator(':focus')))).toBe(true)
  await waitUntil('the title is stored', async () => (await workspace.drawn()) === 'Left wheel*')
})

deepTest('[W-260] Escape closes the menu and gives the focus back; a right click opens it', async () => {
  const workspace = await bench.make()
  await workspace.add('code-editor')
  await using visit = await bench.open(workspace)
  const { page } = visit
  await tabNamed(page, 'Code editor').click({ button: 'right' })
  await page.getByRole('menu').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  expect(await shows(tabNamed(page, 'Code editor').and(page.locator(':focus')))).toBe(true)
})
