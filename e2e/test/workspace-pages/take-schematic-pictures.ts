// The pictures of the schematic editor, taken anew: `node e2e/test/workspace-pages/take-schematic-pictures.ts`. Needs KiCad.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { openPage, type Page, screenshot, startChromium } from '@patchbay/testkit/chromium'
import { startPostgres } from '@patchbay/testkit/postgres'
import { LAMP } from '@patchbay/web/test/lamp-project'
import { signIn } from '../identity-pages/people.ts'
import { startSite } from '../identity-pages/site.ts'
import { makeAccount } from '../installation/accounts.ts'
import { startKicad } from '../workspace-boards/kicad.ts'
import { makeWorkspace, panelNamed } from './workspace.ts'

const FOLDER = process.argv[2] ?? fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))
const DESK = { width: 1280, height: 800 }
const LOOKS = [
  { look: 'light', options: { viewport: DESK, colorScheme: 'light' } },
  { look: 'dark', options: { viewport: DESK, colorScheme: 'dark' } },
  { look: 'phone', options: { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true } },
] as const

const panel = (page: Page) => panelNamed(page, 'Schematic editor')
const sheet = (page: Page) => panel(page).getByRole('application')

/** Where a place of an A4 sheet is that fits the canvas. */
async function placeOf(page: Page, x: number, y: number): Promise<{ x: number; y: number }> {
  const box = await sheet(page).boundingBox()
  if (box === null) throw new Error('no sheet')
  const scale = Math.min(box.width / 297, box.height / 210) * 0.92
  return { x: box.x + box.width / 2 + (x - 148.5) * scale, y: box.y + box.height / 2 + (y - 105) * scale }
}

const listed = /#PWR01 Pin 1/

const SCENES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  sheet: async (page) => {
    const chip = await placeOf(page, 129.54, 93.98)
    await page.mouse.click(chip.x, chip.y)
    // On a phone the properties are not shown at first.
    const properties = panel(page).getByRole('button', { name: 'Properties (E)' })
    if ((await properties.getAttribute('aria-pressed')) === 'false') await properties.click()
    await panel(page).getByRole('textbox', { name: 'Reference', exact: true }).waitFor()
  },
  wire: async (page) => {
    await sheet(page).focus()
    // From the wire below the label to a free place beside it.
    const { x, y } = await placeOf(page, 152.4, 88.9)
    await page.mouse.move(x, y)
    await page.keyboard.press('w')
    for (let turn = 0; turn < 3; turn += 1) await page.mouse.wheel(0, -120)
    await page.mouse.move(x - 30, y - 70, { steps: 4 })
  },
  symbols: async (page) => {
    await sheet(page).focus()
    await page.keyboard.press('a')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Search symbols').fill('lamp')
    await dialog.getByRole('button', { name: 'parts:C' }).waitFor()
    // With a touch screen it is not seen at first, so that a keyboard that comes up moves nothing.
    await page.waitForFunction(
      () => document.querySelector('[role=dialog]')?.checkVisibility({ opacityProperty: true }) === true,
    )
  },
  'new-sheet': async (page) => {
    await sheet(page).focus()
    await page.keyboard.press('s')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Power supply')
    await page.waitForFunction(
      () => document.querySelector('[role=dialog]')?.checkVisibility({ opacityProperty: true }) === true,
    )
  },
  checks: async (page) => {
    await panel(page)
      .getByRole('button', { name: /^Checks: / })
      .click({ timeout: 120_000 })
    await panel(page).getByRole('option', { name: listed }).first().click()
    await panel(page).getByText('1 item selected').waitFor()
  },
}

await using cleanup = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'patchbay-pictures-'))
cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
await using browser = await startChromium()
await using postgres = await startPostgres()
const databaseUrl = await postgres.createDatabase('pictures')
const objectsUrl = pathToFileURL(join(folder, 'objects')).href
const environment = { PATCHBAY_OBJECTS_URL: objectsUrl }
await using site = await startSite({ databaseUrl, environment })
await using _worker = await startKicad({ databaseUrl, objectsUrl, folder: join(folder, 'worker') })
const ada = await makeAccount(site, 'ada', { name: 'Ada Lovelace' })
const workspace = await makeWorkspace({ site }, ada, 'ada', 'lamp')
for (const [name, text] of Object.entries(LAMP)) await workspace.write(`board/${name}`, text)
const { tabId } = await workspace.add('schematic-editor')

async function open({ page }: { page: Page }): Promise<void> {
  await signIn(site, page, ada)
  await page.goto(site.url + workspace.path)
  await panel(page).waitFor()
}

for (const [name, scene] of [
  ['empty', async (page: Page) => panel(page).getByText('No schematic open').waitFor()] as const,
  ...Object.entries(SCENES),
]) {
  if (name === 'sheet')
    await workspace.call('PATCH', `:workspace/current/tabs/${tabId}`, {
      state: { path: 'board/lamp.kicad_sch' },
    })
  for (const { look, options } of LOOKS) {
    const opened = await openPage(browser, { ...options, reducedMotion: 'reduce', timezoneId: 'UTC' })
    await open(opened)
    if (name !== 'empty') await panel(opened.page).getByText('Saved', { exact: true }).waitFor()
    await scene(opened.page)
    await screenshot(opened.page, join(FOLDER, `schematic-${name}-${look}.png`))
    await opened.page.context().close()
  }
}
