// The pictures of files that are edited together, taken anew: `node e2e/test/workspace-pages/take-editing-pictures.ts`.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPage, type Page, screenshot, startChromium } from '@patchbay/testkit/chromium'
import { startPostgres } from '@patchbay/testkit/postgres'
import { signIn } from '../identity-pages/people.ts'
import { startSite } from '../identity-pages/site.ts'
import { makeAccount } from '../installation/accounts.ts'
import { makeOrganization } from '../packages-pages/publishing.ts'
import { makeWorkspace, panelNamed } from './workspace.ts'

const FOLDER = process.argv[2] ?? fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))
const DESK = { width: 1280, height: 800 }
const LOOKS = [
  { look: 'light', options: { viewport: DESK, colorScheme: 'light' } },
  { look: 'dark', options: { viewport: DESK, colorScheme: 'dark' } },
  { look: 'phone', options: { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true } },
] as const

const MAIN = `#include "led.h"

// Dims the lamp when it is dark.
int main(void) {
  led_init(LED_PIN);
  for (;;) {
    int level = read_brightness();
    led_set(level < 40 ? 255 - level * 6 : 0);
    wait_ms(200);
  }
}
`
const FILES: Readonly<Record<string, string>> = {
  'firmware/src/main.c': MAIN,
  'firmware/src/led.h': '#define LED_PIN 4\n',
  'README.md': '# Night lamp\n\nTwo layers, 42 × 42 mm.\n',
  'tools/levels.ts': 'export const levels: number[] = [0, 40, 255]\n',
  'tools/plot.ts': `import { levels } from './levels'

// How bright the led is for each measured level.
const brightest: string = Math.max(...levels)
console.log(brightest, levels.map((level) => level / 255))
`,
  'board/lamp.kicad_sch': '(kicad_sch (version 20241229))\n',
}
const MAIN_PATH = 'firmware/src/main.c'
const PLOT_PATH = 'tools/plot.ts'
const panel = (page: Page) => panelNamed(page, 'Code editor')
const editor = (page: Page) => panel(page).getByRole('textbox', { name: MAIN_PATH, exact: true })

type Scene = (page: Page) => Promise<void>

const seen = (page: Page) =>
  // It fades in, and is there for a while before anybody sees it.
  page.waitForFunction(() => {
    const overlay = document.querySelector('[data-overlay]')
    return overlay !== null && getComputedStyle(overlay).opacity === '1'
  })

const SCENES: Record<string, Scene> = {
  together: async (page) => {
    await editor(page).locator('.pb-caret').first().waitFor({ state: 'attached' })
    await panel(page).getByText('Saved', { exact: true }).waitFor()
  },
  open: async (page) => {
    await panel(page).getByRole('button', { name: 'Open a workspace file' }).click()
    await page.getByLabel('Find or create a file').fill('led')
    await page.getByRole('button', { name: 'firmware/src/led.h' }).waitFor()
    await seen(page)
  },
  find: async (page) => {
    await panel(page).getByRole('button', { name: 'Find in files' }).click()
    await page.getByRole('combobox', { name: 'Find' }).fill('led')
    await page.getByRole('group', { name: 'tools/plot.ts' }).waitFor()
    await seen(page)
  },
  help: async (page) => {
    await panel(page).getByRole('tab', { name: 'plot.ts' }).click()
    const plot = panel(page).getByRole('textbox', { name: PLOT_PATH, exact: true })
    await plot.click()
    // Without what was typed for the picture before.
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText(FILES[PLOT_PATH] ?? '')
    await plot.locator('.cm-lintRange-error').first().waitFor({ timeout: 60_000 })
    await page.keyboard.type('files.')
    await panel(page).locator('.cm-tooltip-autocomplete').waitFor()
    // On a phone there is no room for it.
    await panel(page).locator('.cm-help').waitFor({ state: 'attached' })
  },
}

await using browser = await startChromium()
await using postgres = await startPostgres()
await using site = await startSite({ databaseUrl: await postgres.createDatabase('pictures') })
const ada = await makeAccount(site, 'ada', { name: 'Ada Lovelace' })
const bob = await makeAccount(site, 'bob', { name: 'Bob Noyce' })
await makeOrganization(site, 'labs', [
  { account: ada, role: 'owner' },
  { account: bob, role: 'maintainer' },
])
const workspace = await makeWorkspace({ site }, ada, 'labs', 'lamp')
for (const [path, content] of Object.entries(FILES)) await workspace.write(path, content)
await workspace.add('code-editor', {
  initialState: { files: [MAIN_PATH, 'firmware/src/led.h', PLOT_PATH, 'README.md'], active: MAIN_PATH },
})

async function open(page: Page, who: typeof ada): Promise<void> {
  await signIn(site, page, who)
  await page.goto(site.url + workspace.path)
  await editor(page).getByText('Dims the lamp').waitFor()
}

const { page: other } = await openPage(browser, { viewport: DESK })
await open(other, bob)
await editor(other).getByText('read_brightness').dblclick()
for (const [name, scene] of Object.entries(SCENES))
  for (const { look, options } of LOOKS) {
    const { page } = await openPage(browser, { ...options, reducedMotion: 'reduce', timezoneId: 'UTC' })
    await open(page, ada)
    await editor(page).getByText('wait_ms').click()
    await scene(page)
    await screenshot(page, join(FOLDER, `editing-${name}-${look}.png`))
    await page.context().close()
  }

await workspace.callAsOwner('POST', ':workspace/files/changes', {
  operations: [{ op: 'delete', path: MAIN_PATH }],
})
await panel(other).getByText('This file was deleted').waitFor()
await screenshot(other, join(FOLDER, 'editing-deleted-light.png'))
