import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { complaints, overflowing } from '../complaints.ts'
import type { Site } from '../site.ts'
import { NARROW, soon, usePanelBench, WIDE } from './panel-bench.ts'
import { answerSchematics } from './schematic/answer-schematics.ts'
import { LAMP } from './schematic/lamp-project.ts'
import type { WorkspaceFiles } from './workspace-files.ts'

const panels = usePanelBench()
const PATIENT = 60_000

/** Twenty aliases in each of a dozen levels, and not one signal in the end. */
const TANGLED = (LAMP['lamp.kicad_sch'] ?? '').replace(
  '\t(sheet_instances',
  `${Array.from({ length: 12 }, (_, level) => `\t(bus_alias "A${level}" (members ${`"A${level + 1}" `.repeat(level === 11 ? 0 : 20)}))\n`).join('')}\t(label "{A0}" (at 50.8 50.8 0) (uuid "00000000-0000-4000-8000-0000000000aa"))\n\t(sheet_instances`,
)

const lamp = (site: Site) => void answerSchematics(site, LAMP)
const state = { path: 'lamp.kicad_sch' }
const mounting = { kind: 'schematic-editor', state } as const

deepTest.each([
  ['light', WIDE],
  ['dark', NARROW],
] as const)('[W-317][W-318] nothing is wrong with a schematic, %s', async (colorScheme, viewport) => {
  await using visit = await panels.show(mounting, { prepare: lamp, colorScheme, viewport })
  const { page } = visit
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await complaints(page, { within: '#root' })).toEqual([])
  expect(await page.evaluate(overflowing)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
})

deepTest(
  '[W-854] the sheet is drawn in the colors of the theme, and is zoomed and fitted with keys',
  async () => {
    const colors: Record<string, string> = {}
    for (const colorScheme of ['light', 'dark'] as const) {
      await using visit = await panels.show(mounting, { prepare: lamp, colorScheme })
      const { page } = visit
      await page.getByText('Saved', { exact: true }).waitFor()
      const sheet = page.getByRole('application')
      const picture = async () => (await sheet.screenshot({ animations: 'disabled' })).toString('base64')
      await sheet.focus()
      const before = await picture()
      colors[colorScheme] = before
      await page.keyboard.press('+')
      await expect.poll(picture, soon).not.toBe(before)
      await page.keyboard.press('Home')
      await expect.poll(picture, soon).toBe(before)
    }
    expect(colors['light']).not.toBe(colors['dark'])
  },
  PATIENT,
)

test.each([
  ['notes.kicad_sch', '(kicad_pcb (version 1))', 'This file is not a KiCad schematic'],
  [
    'large.kicad_sch',
    `${(LAMP['lamp.kicad_sch'] ?? '').trimEnd()}\n#${' '.repeat(1_000_000)}\n`,
    'too large to edit here',
  ],
  ['tangled.kicad_sch', TANGLED, 'Nets are not shown'],
  ['alone.kicad_sch', LAMP['lamp.kicad_sch'] ?? '', 'One sheet of this schematic is missing'],
])(
  '[W-857] %s is told in words',
  async (path, text, told) => {
    await using visit = await panels.show(
      { kind: 'schematic-editor', state: { path } },
      { prepare: (site) => void answerSchematics(site, { [path]: text }), alsoTolerated: /40[4]|422/ },
    )
    await expect.poll(() => visit.page.getByText(told).count(), soon).toBe(1)
  },
  PATIENT,
)

deepTest.each([
  ['damaged', '(kicad_sch ('],
  ['deleted', undefined],
])(
  '[W-857] a file that is %s is told, and another one can be opened',
  async (_, text) => {
    await using visit = await panels.show(
      { kind: 'schematic-editor', state: { path: 'a.kicad_sch' } },
      {
        prepare: (site) =>
          void answerSchematics(site, { ...LAMP, ...(text !== undefined && { 'a.kicad_sch': text }) }),
        alsoTolerated: /404/,
      },
    )
    const { page } = visit
    await page.locator('[role=alert]').first().waitFor()
    await page.getByRole('button', { name: 'Open a schematic' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'lamp.kicad_sch' }).click()
    await expect.poll(() => page.getByText('Saved', { exact: true }).count(), soon).toBe(1)
  },
  PATIENT,
)

test(
  '[W-858] a sheet that names a file elsewhere asks for nothing there',
  async () => {
    const text = (LAMP['lamp.kicad_sch'] ?? '').replace('"sensor.kicad_sch"', '"../../../../etc/passwd"')
    let files: WorkspaceFiles | undefined
    await using visit = await panels.show(mounting, {
      prepare: (site) => {
        files = answerSchematics(site, { 'lamp.kicad_sch': text })
      },
      alsoTolerated: /404/,
    })
    await visit.page.getByText('One sheet of this schematic is missing').waitFor()
    expect(files?.read.filter((path) => path.includes('passwd') || path.includes('..'))).toEqual([])
  },
  PATIENT,
)
