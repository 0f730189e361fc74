import type { BoardCheckReport } from '@patchbay/contracts/boards'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { complaints, overflowing } from '../complaints.ts'
import type { Engine } from './board-engine.ts'
import { NARROW, soon, usePanelBench, WIDE } from './panel-bench.ts'
import { answerSchematics } from './schematic/answer-schematics.ts'
import { LAMP, RESISTOR } from './schematic/lamp-project.ts'

const panels = usePanelBench()
const PATIENT = 60_000
const PATH = 'lamp.kicad_sch'

const violationOf = (
  severity: 'error' | 'warning',
  description: string,
  sheet: string,
  [uuid, x, y]: readonly [string, number, number],
) => ({
  type: 'x',
  severity,
  isExcluded: false,
  group: 'rules' as const,
  description,
  sheet,
  items: [{ description: `Item of ${description}`, uuid, x, y }],
})

const REPORT: BoardCheckReport = {
  kind: 'erc',
  errors: 2,
  warnings: 1,
  exclusions: 1,
  isComplete: true,
  violations: [
    violationOf('warning', 'Symbol not in library', '/', [RESISTOR, 160.02, 95.25]),
    // KiCad makes up ids for pins that have none in the file.
    violationOf('error', 'Pin not connected', '/', ['00000000-0000-4000-8000-0000000000ff', 144.78, 99.06]),
    violationOf('error', 'Input not driven', '/sensor/', ['00000000-0000-4000-8000-0000000000fe', 100, 100]),
    { ...violationOf('error', 'Fine here', '/', [RESISTOR, 50, 50]), isExcluded: true },
  ],
}

const show = async (engine: Engine, options: { colorScheme?: 'dark'; viewport?: typeof NARROW } = {}) =>
  await panels.show(
    { kind: 'schematic-editor', state: { path: PATH } },
    { prepare: (site) => void answerSchematics(site, LAMP, engine), ...options },
  )

test(
  '[W-925][W-926] the rules are checked by themselves, and what is found is listed, errors first, shown and marked',
  async () => {
    const asked: unknown[] = []
    await using visit = await show({ report: REPORT, asked })
    const { page } = visit
    await page.getByRole('button', { name: 'Checks: 2 errors, 1 warning' }).click()
    expect(asked).toEqual([{ operation: 'erc', path: PATH }])
    expect(await page.getByRole('option').allInnerTexts()).toEqual([
      expect.stringMatching(/^Error\s+Pin not connected\s+Item of/),
      expect.stringMatching(/^Error\s+Input not driven\s+Sheet \/sensor\/ · Item of/),
      expect.stringMatching(/^Warning\s+Symbol not in library\s+Item of/),
    ])
    const sheet = page.getByRole('application')
    const picture = async () => (await sheet.screenshot({ animations: 'disabled' })).toString('base64')
    const before = await picture()
    // The keyboard alone: the pin belongs to the controller.
    await page.getByRole('option').first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByText('1 item selected').waitFor()
    await expect.poll(picture, soon).not.toBe(before)
    await page.getByRole('button', { name: 'Properties (E)' }).click()
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Reference', exact: true }).inputValue(), soon)
      .toBe('U1')
    // What is on another sheet is shown there.
    await page.getByRole('button', { name: /^Checks/ }).click()
    await page.getByRole('option', { name: /Input not driven/ }).click()
    await expect.poll(() => visit.stored(), soon).toContainEqual({ sheet: '/sensor/' })
  },
  PATIENT,
)

test(
  '[W-926] a mark on the sheet is pressed, and errors and warnings differ in more than color',
  async () => {
    await using visit = await show({ report: REPORT })
    const { page } = visit
    await page.getByRole('button', { name: 'Checks: 2 errors, 1 warning' }).click()
    await page.getByRole('option', { name: /Symbol not in library/ }).click()
    await page.getByText('1 item selected').waitFor()
    const box = await page.getByRole('application').boundingBox()
    if (box === null) throw new Error('no sheet')
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    await page.getByRole('option', { name: /Pin not connected/ }).click()
    // The sign stands beside its place, which is in the middle now.
    await page.mouse.click(middle.x - 60, middle.y + 60)
    await page.mouse.click(middle.x + 15, middle.y - 15)
    await expect
      .poll(() => page.getByRole('option', { name: /Pin not connected/ }).getAttribute('aria-selected'), soon)
      .toBe('true')
  },
  PATIENT,
)

test(
  '[W-927] what was found before an edit is said to be old',
  async () => {
    await using visit = await show({ report: REPORT })
    const { page } = visit
    await page.getByRole('button', { name: 'Checks: 2 errors, 1 warning' }).click()
    const sheet = page.getByRole('application')
    const stale = page.getByText('The schematic has changed since.')
    expect(await stale.count()).toBe(0)
    await page.getByRole('option', { name: /Symbol not in library/ }).click()
    await page.getByText('1 item selected').waitFor()
    const before = (await sheet.screenshot({ animations: 'disabled' })).toString('base64')
    await sheet.focus()
    await page.keyboard.press('Delete')
    await stale.waitFor()
    expect(await page.getByRole('option').count()).toBe(3)
    expect((await sheet.screenshot({ animations: 'disabled' })).toString('base64')).not.toBe(before)
  },
  PATIENT,
)

test(
  '[W-928] without a worker it is told what to install, nothing is asked of KiCad, and it can be tried again',
  async () => {
    const asked: unknown[] = []
    const engine = { report: REPORT, asked, isRunning: false }
    await using visit = await show(engine)
    const { page } = visit
    await page.getByRole('button', { name: 'Checks', exact: true }).click()
    await page.getByText('Install KiCad 9 and start patchbay eda-worker.').waitFor()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(asked).toEqual([])
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByText('Install KiCad 9 and start patchbay eda-worker.').waitFor()
  },
  PATIENT,
)

deepTest.each([
  ['light', undefined, WIDE],
  ['dark', 'dark', NARROW],
] as const)('[W-317][W-318] nothing is wrong with the checks, %s', async (_, colorScheme, viewport) => {
  await using visit = await show(
    { report: REPORT },
    { viewport, ...(colorScheme !== undefined && { colorScheme }) },
  )
  const { page } = visit
  await page.getByRole('button', { name: 'Checks: 2 errors, 1 warning' }).click()
  await page.getByRole('option').first().click()
  expect(await complaints(page, { within: '#root' })).toEqual([])
  expect(await page.evaluate(overflowing)).toEqual([])
})
