import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { netOfPin, netsOf, parse, readDesign, readSchematic } from '@patchbay/kicad-format'
import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { LAMP, LED_LABEL, RESISTOR } from '@patchbay/web/test/lamp-project'
import { expect } from 'vitest'
import { makeAccount } from '../installation/accounts.ts'
import { panelNamed, useWorkspaces, type Workspace } from './workspace.ts'

const bench = useWorkspaces()
const soon = { timeout: 20_000 }
const PATIENT = 60_000
const FILE = 'board/lamp.kicad_sch'
const panel = (page: Page) => panelNamed(page, 'Schematic editor')
const sheet = (page: Page) => panel(page).getByRole('application')
const field = (page: Page, name: string) => panel(page).getByRole('textbox', { name, exact: true })
const button = (page: Page, name: string) => panel(page).getByRole('button', { name, exact: true })

async function makeLamp(state: Record<string, unknown> = { path: FILE }): Promise<Workspace> {
  const workspace = await bench.make()
  for (const [name, text] of Object.entries(LAMP)) await workspace.write(`board/${name}`, text)
  await workspace.add('schematic-editor', { initialState: state })
  return workspace
}

/** Where a place of an A4 sheet is, as long as all of it is seen. */
async function placeOf(page: Page, x: number, y: number): Promise<{ x: number; y: number }> {
  const box = await sheet(page).boundingBox()
  if (box === null) throw new Error('no sheet')
  const scale = Math.min(box.width / 297, box.height / 210) * 0.92
  return { x: box.x + box.width / 2 + (x - 148.5) * scale, y: box.y + box.height / 2 + (y - 105) * scale }
}

async function point(page: Page, x: number, y: number): Promise<void> {
  const at = await placeOf(page, x, y)
  await page.mouse.move(at.x, at.y)
}

async function press(page: Page, x: number, y: number, clickCount = 1): Promise<void> {
  const at = await placeOf(page, x, y)
  await page.mouse.click(at.x, at.y, { clickCount })
}

const opened = (page: Page) => panel(page).getByText('Saved', { exact: true }).waitFor()
const textOf = (workspace: Workspace) => workspace.read(FILE)

async function netsIn(workspace: Workspace) {
  const files = new Map<string, ReturnType<typeof parse>>()
  for (const name of ['lamp.kicad_sch', 'sensor.kicad_sch'])
    files.set(name, parse(await workspace.read(`board/${name}`)))
  return netsOf(readDesign(files, 'lamp.kicad_sch'))
}

/** What KiCad finds in the files, where it is installed. */
async function kicadNets(workspace: Workspace): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-schematic-'))
  try {
    for (const name of ['lamp.kicad_sch', 'sensor.kicad_sch'])
      writeFileSync(join(folder, name), await workspace.read(`board/${name}`))
    const args = ['sch', 'export', 'netlist', '-o', join(folder, 'out.net'), join(folder, 'lamp.kicad_sch')]
    execFileSync('kicad-cli', args, {
      stdio: 'ignore',
      timeout: 60_000,
      env: { ...process.env, HOME: folder },
    })
    return readFileSync(join(folder, 'out.net'), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

test(
  '[W-850][W-853][W-855] a schematic of the workspace is chosen, its sheets are walked through, and a symbol is looked at',
  async () => {
    const workspace = await makeLamp({})
    await using visit = await bench.open(workspace)
    const { page } = visit
    await button(page, 'Open a schematic').last().click()
    await page.getByRole('dialog').getByRole('button', { name: FILE }).click()
    await opened(page)
    await press(page, 80, 89, 2)
    const path = panel(page).getByRole('navigation')
    await expect.poll(() => path.innerText(), soon).toMatch(/Root\s*sensor/)
    await expect
      .poll(async () => (await workspace.current()).tabs[0]?.state, soon)
      .toEqual({ path: FILE, sheet: '/sensor/' })
    await sheet(page).press('Backspace')
    await expect.poll(() => path.innerText(), soon).not.toMatch(/sensor/)
    await press(page, 129.54, 93.98)
    await expect.poll(() => field(page, 'Reference').inputValue(), soon).toBe('U1')
    await expect.poll(() => panel(page).getByText('/sensor/LIGHT').count(), soon).toBe(1)
    await point(page, 152.4, 88.9)
    await expect.poll(() => panel(page).getByText('Net /DIM').count(), soon).toBe(1)
  },
  PATIENT,
)

deepTest(
  '[W-860][W-863][W-864][W-867] two people draw on one sheet, undo their own steps, and KiCad reads what they made',
  async () => {
    const workspace = await makeLamp()
    await using first = await bench.open(workspace)
    await using second = await bench.open(workspace)
    const [ada, ben] = [first.page, second.page]
    for (const page of [ada, ben]) await opened(page)
    // One draws a wire from the label to a free place, the other gives the resistor another value.
    await point(ada, 152.4, 88.9)
    await sheet(ada).focus()
    await ada.keyboard.press('w')
    await press(ada, 152.4, 73.66, 2)
    await press(ben, 160.02, 95.25)
    await field(ben, 'Value').fill('470')
    await ben.keyboard.press('Enter')
    await expect.poll(() => textOf(workspace), soon).toContain('"470"')
    await expect
      .poll(() => textOf(workspace), soon)
      .toMatch(/152\.4 88\.9[\s\S]*junction|junction[\s\S]*152\.4 88\.9/)
    for (const page of [ada, ben]) await opened(page)
    const schematic = readSchematic(parse(await textOf(workspace)))
    const items = (kind: string) => schematic?.items.filter((item) => item.kind === kind).length
    expect([items('wire'), items('junction')]).toEqual([11, 2])
    expect(netOfPin(await netsIn(workspace), 'R1', '1')?.name).toBe('/DIM')
    expect((await kicadNets(workspace)) ?? '(name "/DIM") (ref "R1")').toMatch(
      /\(name "\/DIM"\)[\s\S]*\(ref "R1"\)/,
    )
    // Each takes back their own.
    await sheet(ada).focus()
    await ada.keyboard.press('Control+z')
    await expect.poll(async () => (await textOf(workspace)).split('(junction').length, soon).toBe(2)
    expect(await textOf(workspace)).toContain('"470"')
    await sheet(ben).focus()
    await ben.keyboard.press('Control+z')
    await expect.poll(() => textOf(workspace), soon).toBe(LAMP['lamp.kicad_sch'])
  },
  PATIENT,
)

deepTest(
  '[W-860] the same file in a code editor is the same text',
  async () => {
    const workspace = await makeLamp()
    await workspace.add('code-editor', { direction: 'right', initialState: { files: [FILE], active: FILE } })
    await using visit = await bench.open(workspace, { viewport: { width: 1_600, height: 900 } })
    const { page } = visit
    await opened(page)
    await press(page, 150, 87.8)
    await field(page, 'Text').fill('GLOW')
    await page.keyboard.press('Enter')
    const editor = panelNamed(page, 'Code editor').getByRole('textbox', { name: FILE, exact: true })
    await editor.click()
    await page.keyboard.press('Control+f')
    await page.getByPlaceholder('Find').fill('"GLOW"')
    await page.keyboard.press('Enter')
    await expect.poll(() => editor.getByText('GLOW').count(), soon).toBeGreaterThan(0)
    // And what is done to the text, by an agent here, is on the sheet.
    const edits = [{ find: '"GLOW"', replace: '"SHINE"' }]
    await workspace.callAsOwner('POST', ':workspace/files/edits', { path: FILE, edits })
    await expect.poll(() => editor.getByText('SHINE').count(), soon).toBeGreaterThan(0)
    await expect.poll(() => field(page, 'Text').inputValue(), soon).toBe('SHINE')
    await expect.poll(() => textOf(workspace), soon).toContain(`(label "SHINE"`)
  },
  PATIENT,
)

test(
  '[W-856][W-868][W-869][W-870] with the keyboard alone a symbol is found, placed, turned, wired and numbered',
  async () => {
    const workspace = await makeLamp()
    await using visit = await bench.open(workspace)
    const { page } = visit
    await opened(page)
    await sheet(page).focus()
    const keys = async (...all: readonly string[]) => {
      for (const key of all) await page.keyboard.press(key)
    }
    // From the middle of the sheet to a free place.
    await keys('ArrowDown', ...Array.from({ length: 3 }, () => 'Shift+ArrowDown'), 'a')
    await page.getByRole('dialog').getByLabel('Search symbols').fill('parts:C')
    await page.getByRole('dialog').getByRole('button', { name: 'parts:C' }).click()
    await keys('r', 'Enter', 'l')
    await page.getByRole('dialog').getByLabel('Text').fill('EXTRA')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await keys(
      'ArrowRight',
      'ArrowRight',
      'ArrowRight',
      'Enter',
      'Escape',
      'w',
      'ArrowRight',
      'ArrowRight',
      'Enter',
      'Enter',
    )
    await expect.poll(() => textOf(workspace), soon).toContain('(label "EXTRA"')
    await expect
      .poll(
        async () =>
          readSchematic(parse(await textOf(workspace)))?.items.filter(({ kind }) => kind === 'wire').length,
        soon,
      )
      .toBe(11)
    const nets = await netsIn(workspace)
    expect(
      nets.find(({ labels }) => labels.includes('/EXTRA'))?.pins.map(({ reference }) => reference),
    ).toEqual(['C2'])
  },
  PATIENT,
)

/** The kinds of what breaks KiCad's rules, and what it finds connected; `undefined` where KiCad is not installed. */
async function askKicad(workspace: Workspace, root: string, ...others: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-schematic-'))
  try {
    for (const path of [root, ...others])
      writeFileSync(join(folder, path.split('/').at(-1) ?? ''), await workspace.read(path))
    const env = { ...process.env, HOME: folder }
    const run = (...args: readonly string[]) =>
      execFileSync('kicad-cli', ['sch', ...args, join(folder, root)], {
        stdio: 'ignore',
        timeout: 60_000,
        env,
      })
    run('erc', '--format', 'json', '-o', join(folder, 'erc.json'))
    run('export', 'netlist', '-o', join(folder, 'out.net'))
    return [readFileSync(join(folder, 'erc.json'), 'utf8'), readFileSync(join(folder, 'out.net'), 'utf8')]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

test(
  '[W-937][W-938][W-939][W-940] a schematic is made, with a sheet whose labels get pins, and numbered on both',
  async () => {
    const workspace = await bench.make()
    await workspace.write('root.kicad_pro', '{}')
    await workspace.add('schematic-editor')
    await using visit = await bench.open(workspace)
    const { page } = visit
    const dialog = page.getByRole('dialog')
    await button(page, 'New schematic').click()
    await dialog.getByLabel('File').fill('root')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await opened(page)
    expect(await workspace.read('root.kicad_sch')).toMatch(/^\(kicad_sch\n/)
    await sheet(page).focus()
    await page.keyboard.press('s')
    await dialog.getByLabel('Name').fill('Power supply')
    expect(await dialog.getByLabel('File').inputValue()).toBe('power-supply.kicad_sch')
    await dialog.getByLabel('File').fill('root.kicad_sch')
    await dialog.getByText('A sheet cannot contain itself.').waitFor()
    await dialog.getByLabel('File').fill('supply')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await press(page, 101.6, 50.8)
    await expect.poll(() => workspace.read('root.kicad_sch'), soon).toContain('"supply.kicad_sch"')
    // Somebody draws in the sheet meanwhile: a label, and a part without a number.
    const part = (text: string, uuid: string) =>
      text.replace(
        '(lib_symbols)',
        `(lib_symbols (symbol "Device:R" (exclude_from_sim no) (in_bom yes) (on_board yes) (property "Reference" "R" (at 0 0 0)) (property "Value" "R" (at 0 0 0)) (symbol "R_1_1" (pin passive line (at 0 0 0) (length 2.54) (name "1") (number "1")))))
	(symbol (lib_id "Device:R") (at 50.8 50.8 0) (unit 1) (exclude_from_sim no) (in_bom yes) (on_board yes) (dnp no) (uuid "${uuid}") (property "Reference" "R?" (at 50.8 48.26 0)) (property "Value" "1k" (at 50.8 53.34 0)))`,
      )
    const empty = await workspace.read('supply.kicad_sch')
    const label =
      '(hierarchical_label "VOUT" (shape output) (at 50.8 50.8 0) (effects (font (size 1.27 1.27))) (uuid "00000000-0000-4000-8000-0000000000b1"))'
    await workspace.write(
      'supply.kicad_sch',
      part(empty, '00000000-0000-4000-8000-0000000000b2').replace(
        '(sheet_instances',
        `${label}\n\t(sheet_instances`,
      ),
    )
    await press(page, 110, 60)
    await button(page, 'Add missing pins (1)').click()
    await expect.poll(() => workspace.read('root.kicad_sch'), soon).toMatch(/\(pin "VOUT" output/)
    const root = await workspace.read('root.kicad_sch')
    await opened(page)
    await workspace.write('root.kicad_sch', part(root, '00000000-0000-4000-8000-0000000000b3'))
    await expect.poll(() => sheet(page).count(), soon).toBe(1)
    await button(page, 'Number all symbols without a number, on all sheets').click()
    await page.getByText('2 symbols numbered in 2 files').waitFor()
    const numbers = async (path: string) =>
      [...(await workspace.read(path)).matchAll(/\(reference "(.*?)"\)/g)].map(([, name]) => name)
    expect([await numbers('root.kicad_sch'), await numbers('supply.kicad_sch')]).toEqual([['R1'], ['R2']])
    const [rules, nets] = (await askKicad(workspace, 'root.kicad_sch', 'supply.kicad_sch')) ?? []
    for (const kind of ['unannotated', 'hier_label_mismatch', 'duplicate_reference'])
      expect(rules ?? '').not.toContain(kind)
    // Without KiCad there is nothing to look at.
    expect(nets ?? '(ref "R1") (ref "R2")').toMatch(/\(ref "R1"\)[\s\S]*\(ref "R2"\)/)
  },
  PATIENT,
)

test(
  '[W-871] whoever may only look goes through the sheets alone and changes nothing',
  async () => {
    const workspace = await makeLamp()
    const reader = await makeAccount(bench.site, `reader-${workspace.owner.handle}`)
    await workspace.callAsOwner('PUT', `:workspace/members/${reader.handle}`, { role: 'viewer' })
    await using visit = await bench.open(workspace, { as: reader })
    const { page } = visit
    await panel(page).getByRole('navigation').waitFor()
    await press(page, 160.02, 95.25)
    await expect.poll(() => field(page, 'Value').inputValue(), soon).toBe('330')
    expect(await field(page, 'Value').isEditable()).toBe(false)
    await sheet(page).focus()
    for (const key of ['Delete', 'r', 'w', 'm', 'Control+d', 'Control+z']) await page.keyboard.press(key)
    expect(await button(page, 'Wire (W)').count()).toBe(0)
    await press(page, 80, 89, 2)
    await expect.poll(() => panel(page).getByRole('navigation').innerText(), soon).toMatch(/sensor/)
    expect(await textOf(workspace)).toBe(LAMP['lamp.kicad_sch'])
    expect(RESISTOR).not.toBe(LED_LABEL)
  },
  PATIENT,
)
