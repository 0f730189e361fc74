import { lampFiles } from '@patchbay/boards/test/lamp-library'
import type { Page } from '@patchbay/testkit/chromium'
import { LAMP } from '@patchbay/web/test/lamp-project'
import { expect, test } from 'vitest'
import { makeAccount } from '../installation/accounts.ts'
import { publish } from '../packages-pages/publishing.ts'
import { tolerating } from '../panel-control/tolerating.ts'
import { LAMP_FIELDS } from '../workspace-boards/lamp-library.ts'
import { panelNamed, useWorkspaces } from './workspace.ts'

const bench = useWorkspaces()
const soon = { timeout: 20_000 }
const PATIENT = 90_000
const FILE = 'board/lamp.kicad_sch'
const IDENTIFIER = 'com.example.night-lamps'
const sheet = (page: Page) => panelNamed(page, 'Schematic editor').getByRole('application')
const symbols = (page: Page) => page.getByRole('dialog', { name: 'Add a symbol' })
const libraries = (page: Page) => page.getByRole('dialog', { name: 'Libraries' })

test(
  '[W-917][W-918] a library of the registry is found, added and changed, its symbol is placed, and it is removed',
  async () => {
    const author = await makeAccount(bench.site, 'grace')
    const release = (version: string, visibility: 'public' | 'private' = 'public', identifier = IDENTIFIER) =>
      publish(
        bench.site,
        author,
        { identifier, version, fields: LAMP_FIELDS, files: lampFiles('a model') },
        { visibility },
      )
    await release('1.0.0')
    await release('1.0.0', 'private', 'com.example.secret-lamps')
    const workspace = await bench.make()
    for (const [name, text] of Object.entries(LAMP)) await workspace.write(`board/${name}`, text)
    await workspace.add('schematic-editor', { initialState: { path: FILE } })
    // A refusal is told on the console too.
    await using visit = tolerating(await bench.open(workspace), /status of 404/)
    const { page } = visit
    const openSymbols = async () => {
      await sheet(page).focus()
      await page.keyboard.press('a')
      await symbols(page).getByLabel('Search symbols').fill('lamp of the night')
    }
    await panelNamed(page, 'Schematic editor').getByText('Saved', { exact: true }).waitFor()
    await openSymbols()
    await symbols(page).getByText('No symbol matches').waitFor()
    await symbols(page).getByRole('button', { name: 'Libraries…' }).click()
    await libraries(page).getByText('This workspace has no library packages').waitFor()
    await libraries(page).getByLabel('Search libraries of the registry').fill('night')
    const found = libraries(page).getByRole('list', { name: 'Libraries of the registry' })
    await found.getByText(`${IDENTIFIER} · version 1.0.0`).waitFor()
    await found.getByRole('button', { name: 'Add' }).click()
    const here = libraries(page).getByRole('list', { name: 'Libraries of this workspace' })
    await here.getByText(`${IDENTIFIER} · version 1.0.0`).waitFor()
    await here.getByText('1 symbol library, 1 footprint library, 1 3D model').waitFor()
    await found.getByText('Added').waitFor()

    // Somebody else's private one is refused in words, and nothing changes.
    await libraries(page).getByLabel('Search libraries of the registry').fill('com.example.secret-lamps')
    await found.getByRole('button', { name: 'Add' }).click()
    await libraries(page).getByRole('alert').or(libraries(page).getByText('not found')).first().waitFor()

    await release('1.1.0')
    await libraries(page).getByLabel('Search libraries of the registry').fill('lamps')
    await found.getByRole('button', { name: 'Change to 1.1.0' }).click()
    await here.getByText(`${IDENTIFIER} · version 1.1.0`).waitFor()

    await libraries(page).getByRole('button', { name: 'Close' }).click()
    await symbols(page).getByRole('button', { name: 'PCM_Lamps:Lamp' }).click()
    await symbols(page).waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await expect
      .poll(() => workspace.read(FILE), soon)
      .toMatch(/\(symbol "PCM_Lamps:Lamp"[^]*\(lib_id "PCM_Lamps:Lamp"\)/)
    await page.keyboard.press('Escape')

    await openSymbols()
    await symbols(page).getByRole('button', { name: 'Libraries…' }).click()
    await here.getByRole('button', { name: 'Remove Lamps' }).click()
    await libraries(page).getByText('This workspace has no library packages').waitFor()
    expect(await workspace.read(FILE)).toContain('(lib_id "PCM_Lamps:Lamp")')
  },
  PATIENT,
)
