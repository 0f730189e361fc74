// The pictures of the palette, the shortcuts, new workspaces and the trash, taken anew:
// `node e2e/test/workspace-pages/take-command-pictures.ts`.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPage, type Page, screenshot, startChromium } from '@patchbay/testkit/chromium'
import { startPostgres } from '@patchbay/testkit/postgres'
import { signIn } from '../identity-pages/people.ts'
import { startSite } from '../identity-pages/site.ts'
import { makeAccount } from '../installation/accounts.ts'
import { makeWorkspace, tabNamed } from './workspace.ts'

const FOLDER = process.argv[2] ?? fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))
const DESK = { width: 1280, height: 800 }
const LOOKS = [
  { look: 'light', options: { viewport: DESK, colorScheme: 'light' } },
  { look: 'dark', options: { viewport: DESK, colorScheme: 'dark' } },
  { look: 'phone', options: { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true } },
] as const

interface Scene {
  readonly path: string
  readonly show: (page: Page) => Promise<void>
}

const openPalette = async (page: Page) => {
  await tabNamed(page, 'Control loop').waitFor()
  await page.getByRole('button', { name: /^Search and commands/ }).click()
  await page.getByRole('option').first().waitFor()
  // On a touch screen it shows only when the keyboard had its time to come up.
  await page.locator('[data-overlay]:not([style*="opacity: 0"])').waitFor()
}

const SCENES: Record<string, Scene> = {
  palette: { path: '/workspaces/ada/rover', show: openPalette },
  'palette-search': {
    path: '/workspaces/ada/rover',
    async show(page) {
      await openPalette(page)
      await page.getByRole('combobox').fill('ma')
      await page.getByRole('option', { name: /^main\.js/ }).waitFor()
    },
  },
  shortcuts: {
    path: '/workspaces/ada/rover',
    async show(page) {
      await tabNamed(page, 'Control loop').press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    },
  },
  'new-workspace': {
    path: '/workspaces',
    async show(page) {
      await page.getByRole('textbox', { name: 'Repository' }).fill('night-lamp')
      await page.getByRole('button', { name: /Start from/ }).click()
      await page.getByRole('option', { name: 'Board bring-up' }).click()
      await page.getByText('A checklist, a table').waitFor()
      await page.getByRole('button', { name: /Start from/ }).click()
      await page.getByRole('option', { name: 'Robot' }).waitFor()
    },
  },
  trash: {
    path: '/workspaces',
    async show(page) {
      await page.getByRole('list', { name: 'Trash of ada' }).scrollIntoViewIfNeeded()
    },
  },
  'trash-restore': {
    path: '/workspaces',
    async show(page) {
      await page.getByRole('button', { name: 'Restore ada/blinker' }).first().click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
}

await using browser = await startChromium()
await using postgres = await startPostgres()
await using site = await startSite({ databaseUrl: await postgres.createDatabase('pictures') })
const ada = await makeAccount(site, 'ada', { name: 'Ada Lovelace' })
const rover = await makeWorkspace({ site }, ada, 'ada', 'lamp')
await rover.callAsOwner('PUT', '/api/workspaces/editor/ada/rover', { template: 'robot' })
for (const [repo, template] of [
  ['blinker', 'board-bring-up'],
  ['course', 'course'],
] as const) {
  await rover.callAsOwner('PUT', `/api/workspaces/editor/ada/${repo}`, { template })
  await rover.callAsOwner('DELETE', `/api/workspaces/editor/ada/${repo}`)
}

for (const [name, { path, show }] of Object.entries(SCENES))
  for (const { look, options } of LOOKS) {
    const { page } = await openPage(browser, { ...options, reducedMotion: 'reduce', timezoneId: 'UTC' })
    await signIn(site, page, ada)
    await page.goto(site.url + path)
    await show(page)
    await screenshot(page, join(FOLDER, `workspace-${name}-${look}.png`))
    await page.context().close()
  }
