import { randomBytes } from 'node:crypto'
import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { makeAccount } from '../installation/accounts.ts'
import { files } from './files.ts'
import { panelNamed, useWorkspaces, type Workspace } from './workspace.ts'

const bench = useWorkspaces()
const soon = { timeout: 20_000 }
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Find in files' })
const field = (page: Page) => dialog(page).getByRole('combobox', { name: 'Find' })
const status = (page: Page) => dialog(page).getByRole('status')
const lines = (page: Page) => dialog(page).getByRole('option')
const selected = (page: Page) => dialog(page).locator('[role=option][aria-selected=true]')
const editor = (page: Page, path: string) =>
  panelNamed(page, 'Code editor').getByRole('textbox', { name: path, exact: true })

const FILES: Readonly<Record<string, string>> = {
  'README.md': '# Lamp\n',
  'src/led.h': '#define LED_PIN 4\n#define LEDS 2\n',
  'src/main.c': `#include "led.h"\n${'\n'.repeat(60)}int main(void) { led_init(LED_PIN); }\n`,
}

async function makeProject(): Promise<Workspace> {
  const workspace = await bench.make()
  for (const [path, text] of Object.entries(FILES)) await workspace.write(path, text)
  return workspace
}

test('[W-660][W-661][W-662][W-663][W-664] from the keys to the line in the editor, by keyboard', async () => {
  const workspace = await makeProject()
  const { panelId } = await workspace.add('code-editor', {
    initialState: { files: ['README.md', 'src/led.h'], active: 'README.md' },
  })
  await workspace.add('system-log', { panelId })
  await using visit = await bench.open(workspace, { expectedFaults: [/ERR_FAILED/] })
  const { page } = visit
  await page.keyboard.press('Control+Shift+F')
  await field(page).waitFor()
  expect(await status(page).innerText()).toContain('Type to search')
  await page.keyboard.type('led_pin')
  await expect.poll(() => status(page).innerText(), soon).toBe('2 lines in 2 files')
  const group = dialog(page).getByRole('group', { name: 'src/main.c' })
  expect(await group.getByRole('option').innerText()).toBe('62\nint main(void) { led_init(LED_PIN); }')
  expect(await group.locator('mark').allInnerTexts()).toEqual(['LED_PIN'])
  await page.keyboard.press('ArrowDown')
  expect(await selected(page).innerText()).toContain('62')
  expect(await field(page).getAttribute('aria-activedescendant')).toBe(
    await selected(page).getAttribute('id'),
  )
  await page.keyboard.press('Enter')
  await dialog(page).waitFor({ state: 'detached' })
  // At the line, with what was found selected: what is typed takes its place.
  await editor(page, 'src/main.c').getByText('led_init').waitFor()
  await page.locator('.cm-content:focus').waitFor()
  await page.keyboard.type('LAMP_PIN')
  await expect.poll(() => workspace.read('src/main.c'), soon).toContain('led_init(LAMP_PIN)')

  // What was looked for last is there again, and what was typed meanwhile is found.
  await page.keyboard.press('Control+Shift+F')
  await expect.poll(() => status(page).innerText(), soon).toBe('1 line in 1 file')
  expect(await field(page).inputValue()).toBe('led_pin')
  await field(page).fill('led')
  await expect.poll(() => lines(page).count(), soon).toBe(4)
  await dialog(page).getByRole('button', { name: 'Match case' }).click()
  await expect.poll(() => lines(page).count(), soon).toBe(2)
  await dialog(page).getByRole('button', { name: 'Match case' }).click()
  await dialog(page).getByLabel('In', { exact: true }).fill('*.h')
  await expect.poll(() => status(page).innerText(), soon).toBe('2 lines in 1 file')
  await dialog(page).getByRole('button', { name: 'Whole word' }).click()
  await expect.poll(() => status(page).innerText(), soon).toBe('No results in 1 file')

  await page.route('**/files/search?*', (route) => route.abort('failed'))
  await field(page).fill('pin')
  await dialog(page).getByRole('button', { name: 'Try again' }).waitFor()
  await page.unroute('**/files/search?*')
  await dialog(page).getByRole('button', { name: 'Whole word' }).click()
  await expect.poll(() => status(page).innerText(), soon).toBe('1 line in 1 file')
  // A tab that is open and behind another one comes to the front.
  await lines(page).first().click()
  await page.locator('.cm-content:focus').waitFor()
  expect(await editor(page, 'src/led.h').isVisible()).toBe(true)

  // What is selected is looked for.
  await page.keyboard.press('Control+Shift+F')
  await expect.poll(() => field(page).inputValue(), soon).toBe('PIN')
  await page.keyboard.press('Escape')
  await page.locator('.cm-content:focus').waitFor()
  await panelNamed(page, 'Code editor').getByRole('button', { name: 'Find in files' }).click()
  await field(page).waitFor()
})

deepTest('[W-662][W-663] a search that is cut says so, and who may only look is shown the file', async () => {
  const member = await makeAccount(bench.site, `finds-${randomBytes(3).toString('hex')}`)
  const workspace = await bench.make({ members: [member] })
  await workspace.write('many.txt', 'needle\n'.repeat(600))
  await workspace.add('files')
  await using visit = await bench.open(workspace, { as: member })
  const { page } = visit
  await page.keyboard.press('Control+K')
  await page.keyboard.type('grep')
  await page.getByRole('option', { name: /^Find in files/ }).waitFor()
  await page.keyboard.press('Enter')
  await field(page).fill('needle')
  await expect.poll(() => status(page).innerText(), soon).toContain('Only the first 500 lines are shown')
  await lines(page).first().click()
  await files(page).getByText('needle').first().waitFor()
})

test('[W-665][W-669][W-670] a file that is opened gets marks, completions and what it imports', async () => {
  const workspace = await bench.make()
  await workspace.write('src/pins.ts', 'export const ledPin: number = 4\n')
  await workspace.write('src/main.ts', "import { ledPin } from './pins'\nconst name: string = ledPin\n")
  await workspace.write('board.schema.json', '{ "properties": { "layers": { "type": "number" } } }')
  await workspace.write('board.json', '{ "$schema": "./board.schema.json", "layers": "two" }')
  await workspace.add('code-editor', {
    initialState: { files: ['README.md', 'src/main.ts', 'board.json'], active: 'README.md' },
  })
  await workspace.write('README.md', '# Lamp\n')
  await using visit = await bench.open(workspace)
  const { page } = visit
  const workers: string[] = []
  page.on('worker', (worker) => workers.push(worker.url()))
  const panel = panelNamed(page, 'Code editor')
  await editor(page, 'README.md').getByText('Lamp').waitFor()
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  expect(loaded.filter((name) => /worker|find-dialog|help-extension/.test(name))).toEqual([])

  await panel.getByRole('tab', { name: 'board.json' }).click()
  const marked = (path: string) => editor(page, path).locator('.cm-lintRange').first()
  await expect.poll(() => marked('board.json').innerText(), soon).toBe('"two"')
  await marked('board.json').hover()
  await panel.locator('.cm-tooltip').getByText('Expected "number"').waitFor()

  await panel.getByRole('tab', { name: 'main.ts' }).click()
  await expect.poll(() => marked('src/main.ts').innerText(), { timeout: 60_000 }).toBe('name')
  await editor(page, 'src/main.ts').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('ledPin.toF')
  const completion = panel.locator('.cm-tooltip-autocomplete [role=option]').filter({ hasText: 'toFixed' })
  await completion.waitFor(soon)
  await panel.locator('.cm-help').getByText('Returns a string').waitFor(soon)
  await page.keyboard.press('Enter')
  await expect.poll(() => workspace.read('src/main.ts'), soon).toContain('ledPin.toFixed')
  expect(workers.map((url) => new URL(url).pathname.replace(/-[\w-]+\.js$/, ''))).toEqual(
    expect.arrayContaining(['/assets/json.worker', '/assets/typescript.worker']),
  )
})
