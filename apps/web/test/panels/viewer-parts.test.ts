import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { complaints, overflowing } from '../complaints.ts'
import { cubeGlb } from './models.ts'
import { NARROW, type PanelVisit, type ShowOptions, soon, usePanelBench, WIDE } from './panel-bench.ts'
import { colorShares } from './pixels.ts'
import { answerFiles, type WorkspaceFiles } from './workspace-files.ts'

const panels = usePanelBench({
  args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  // Reading back what software has drawn is slow, and the browser says so now and then.
  tolerated: /GPU stall due to ReadPixels/,
})
const PATIENT = 60_000
const SMALL = { width: 640, height: 420 }

/** Two cubes in a group, and one beside it. */
const ROW = cubeGlb({
  over: {
    nodes: [
      { name: 'Pair', children: [1, 2] },
      { name: 'Left', mesh: 0 },
      { name: 'Right', mesh: 0, translation: [1.5, 0, 0] },
      { name: 'Far', mesh: 0, translation: [3, 0, 0] },
    ],
    scenes: [{ nodes: [0, 3] }],
  },
})

interface Shown extends PanelVisit {
  readonly files: WorkspaceFiles
}

async function show(options: ShowOptions & { readonly mayChange?: boolean } = {}): Promise<Shown> {
  const { mayChange = true, ...others } = options
  let files: WorkspaceFiles = { contents: new Map(), read: [] }
  const visit = await panels.show(
    { kind: 'viewer-3d', state: { path: 'cad/row.glb' }, mayChange },
    {
      viewport: SMALL,
      prepare: (site) => {
        files = answerFiles(site, { 'cad/row.glb': ROW })
        site.answer(/\/models$/, (_, response) => response.writeHead(200).end(cubeGlb()))
      },
      ...others,
    },
  )
  await visit.page.getByText(/^row\.glb · 36 triangles/).waitFor()
  return { ...visit, files }
}

const colored = async ({ page }: PanelVisit) => {
  const { red, green, blue } = await colorShares(page)
  return red + green + blue
}

deepTest(
  '[W-645] the list of parts is used with the keyboard alone, as trees are',
  async () => {
    await using visit = await show()
    const { page } = visit
    await page.getByRole('button', { name: 'Parts', exact: true }).click()
    const focused = () =>
      page.evaluate(() => document.activeElement?.textContent.replaceAll(/\s+/g, ' ').replace(/ \d*$/, ''))
    await page.getByRole('treeitem', { name: 'Pair' }).click()
    const walk = [
      ['ArrowDown', 'Left'],
      ['End', 'Far'],
      ['Home', 'Pair'],
      ['ArrowLeft', 'Pair'],
      ['ArrowDown', 'Far'],
      ['ArrowUp', 'Pair'],
      ['ArrowRight', 'Pair'],
      ['ArrowRight', 'Left'],
      ['r', 'Right'],
      ['ArrowLeft', 'Pair'],
      ['End', 'Far'],
    ] as const
    for (const [key, name] of walk) {
      await page.keyboard.press(key)
      await expect.poll(focused, { ...soon, message: key }).toBe(name)
    }
    await expect.poll(() => page.getByRole('treeitem', { selected: true }).count(), soon).toBe(1)
    await page.getByText('1 × 1 × 1 m', { exact: true }).waitFor()
    await page.keyboard.press('Space')
    await expect.poll(focused, soon).toBe('Far (hidden)')
    await page.keyboard.press('Enter')
    await expect.poll(focused, soon).toBe('Far (hidden) (isolated)')
    expect(await visit.stored()).toEqual([{ hidden: ['Far'] }, { isolated: 'Far' }])
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByRole('treeitem', { name: /^Far$/ }).waitFor()
    expect((await visit.stored()).at(-1)).toEqual({ hidden: null, isolated: null })
  },
  PATIENT,
)

deepTest(
  '[W-644] of 2,000 parts only the rows in view are in the page',
  async () => {
    const parts = Array.from({ length: 2_000 }, (_, number) => {
      const corners = [number, number + 1, number + 2].map((x, at) => `v ${x} ${at} ${at * at}`)
      return [`o Bolt`, ...corners, 'f -3 -2 -1'].join('\n')
    })
    await using visit = await panels.show({ kind: 'viewer-3d' }, { viewport: SMALL })
    const { page } = visit
    const file = { name: 'many.obj', mimeType: 'model/obj', buffer: Buffer.from(parts.join('\n')) }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByText(/^many\.obj · 2,000 triangles/).waitFor()
    await page.getByRole('button', { name: 'Parts', exact: true }).click()
    await page.getByText('2,000 parts').waitFor()
    await page.getByRole('treeitem').first().click()
    await page.keyboard.press('End')
    await page.getByRole('treeitem', { name: 'Bolt (2000)', selected: true }).waitFor()
    expect(await page.getByRole('treeitem').count()).toBeLessThan(80)
  },
  PATIENT,
)

deepTest(
  '[W-646] what somebody hides or isolates everybody sees, and with another model it is over',
  async () => {
    await using visit = await show()
    const { page } = visit
    await expect.poll(() => colored(visit), soon).toBeGreaterThan(0.01)
    const whole = await colored(visit)
    await visit.patch({ hidden: ['Pair'] })
    await expect.poll(() => colored(visit), soon).toBeLessThan(whole * 0.6)
    await visit.patch({ hidden: null, isolated: 'Left' })
    await expect.poll(() => colored(visit), soon).toBeLessThan(whole * 0.6)
    await visit.patch({ isolated: 'No such part' })
    await expect.poll(() => colored(visit), soon).toBeGreaterThan(whole * 0.9)
    const field = page.getByLabel('Address of a model')
    await field.fill('models.example/other.glb')
    await field.press('Enter')
    await expect
      .poll(() => visit.stored(), soon)
      .toEqual([{ path: null, isolated: null, url: 'https://models.example/other.glb' }])
    await page.getByText(/^other\.glb · 12 triangles/).waitFor()
  },
  PATIENT,
)

deepTest(
  '[W-646] whoever may only look hides and cuts for themselves alone',
  async () => {
    await using visit = await show({ mayChange: false })
    const { page } = visit
    await page.getByRole('button', { name: 'Parts', exact: true }).click()
    await page.getByRole('treeitem', { name: 'Pair' }).click()
    await page.getByRole('button', { name: 'Hide', exact: true }).click()
    await page.getByRole('treeitem', { name: 'Pair (hidden)' }).waitFor()
    await page.getByRole('button', { name: 'Section' }).click()
    await page.getByRole('slider', { name: 'Position' }).waitFor()
    expect(await visit.stored()).toEqual([])
  },
  PATIENT,
)

deepTest(
  '[W-645] a part that is clicked in the view is selected in the list',
  async () => {
    await using visit = await show()
    const { page } = visit
    await page.getByRole('button', { name: 'Parts', exact: true }).click()
    await page.getByRole('treeitem', { name: 'Pair' }).locator('span').first().click()
    await page.getByRole('treeitem', { name: 'Left' }).waitFor({ state: 'detached' })
    const stage = page.getByRole('application')
    const { width = 0, height = 0 } = (await stage.boundingBox()) ?? {}
    await stage.click({ position: { x: width / 2, y: height / 2 } })
    await page.getByRole('treeitem', { name: 'Right', selected: true }).waitFor()
    await stage.click({ position: { x: 5, y: 5 } })
    await expect.poll(() => page.getByRole('treeitem', { selected: true }).count(), soon).toBe(0)
  },
  PATIENT,
)

deepTest(
  '[W-647] two points are measured, with the pointer or the keyboard, and Escape clears them',
  async () => {
    await using visit = await show()
    const { page } = visit
    await page.getByRole('button', { name: 'Measure' }).click()
    const told = page.getByRole('status').filter({ hasText: /point|Δ/ })
    await expect.poll(() => told.textContent(), soon).toMatch(/^Select a point/)
    const stage = page.getByRole('application')
    await stage.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => told.textContent(), soon).toMatch(/^Select a second/)
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => told.textContent(), soon)
      .toMatch(/^[\d.]+ m?m \(ΔX [\d.]+, ΔY [\d.]+, ΔZ [\d.]+\)$/)
    await page.keyboard.press('Escape')
    await expect.poll(() => told.textContent(), soon).toMatch(/^Select a point/)
    const { width = 0, height = 0 } = (await stage.boundingBox()) ?? {}
    await stage.click({ position: { x: width / 2, y: height / 2 } })
    await stage.click({ position: { x: width / 2 + 12, y: height / 2 } })
    await expect.poll(() => told.textContent(), soon).toMatch(/ΔX/)
    await page.getByRole('button', { name: 'Clear the measurement' }).click()
    await expect.poll(() => told.textContent(), soon).toMatch(/^Select a point/)
    expect(await visit.stored()).toEqual([])
  },
  PATIENT,
)

deepTest(
  '[W-649] a plane cuts the model open for everybody: its axis, its position, and which side stays',
  async () => {
    await using visit = await show()
    const { page } = visit
    await expect.poll(() => colored(visit), soon).toBeGreaterThan(0.01)
    const whole = await colored(visit)
    await page.getByRole('button', { name: 'Section' }).click()
    await page.getByRole('slider', { name: 'Position' }).waitFor()
    await expect.poll(() => colored(visit), soon).toBeLessThan(whole * 0.9)
    await page.getByRole('radio', { name: 'Along Y' }).click()
    await expect.poll(async () => (await visit.stored()).length, soon).toBe(2)
    // What is stored is shown a moment later, and the next change is made on what is shown.
    await page.getByRole('radio', { name: 'Along Y', checked: true }).waitFor()
    const position = page.getByRole('slider', { name: 'Position' })
    await position.press('ArrowRight')
    await expect.poll(async () => (await visit.stored()).length, soon).toBe(3)
    await expect.poll(() => position.inputValue(), soon).toBe('51')
    await page.getByRole('button', { name: 'Flip' }).click()
    await expect.poll(async () => (await visit.stored()).length, soon).toBe(4)
    await page.getByRole('button', { name: 'Section' }).click()
    await expect
      .poll(() => visit.stored(), soon)
      .toEqual([
        { section: { axis: 'x', position: 0.5 } },
        { section: { axis: 'y', position: 0.5 } },
        { section: { axis: 'y', position: 0.51 } },
        { section: { axis: 'y', position: 0.51, isFlipped: true } },
        { section: null },
      ])
    await visit.patch({ section: { axis: 'x', position: 0.1 } })
    await expect.poll(() => colored(visit), soon).toBeLessThan(whole * 0.6)
    await visit.patch({ section: null })
    await expect.poll(() => colored(visit), soon).toBeGreaterThan(whole * 0.9)
  },
  PATIENT,
)

test(
  '[W-650] a model that somebody replaces is shown from where it was seen; one that is as it was is not read again',
  async () => {
    await using visit = await show({ alsoTolerated: /404/ })
    const { page, files } = visit
    const tell = (news: 'files' | 'back' | 'away') => page.evaluate((given) => bench.tell(given), news)
    await page.getByRole('application').focus()
    for (let press = 0; press < 8; press += 1) await page.keyboard.press('-')
    await expect.poll(() => colored(visit), soon).toBeLessThan(0.05)
    const small = await colored(visit)
    await tell('files')
    await expect.poll(() => files.read.length, soon).toBe(2)
    files.contents.set('cad/row.glb', cubeGlb())
    await tell('files')
    await page.getByText(/^row\.glb · 12 triangles/).waitFor()
    await expect.poll(() => colored(visit), soon).toBeLessThan(small)
    files.contents.set('cad/row.glb', 'half of it')
    await tell('files')
    await page.getByText('This is no 3D model').waitFor()
    files.contents.set('cad/row.glb', ROW)
    await tell('back')
    await page.getByText(/^row\.glb · 36 triangles/).waitFor()
    await expect.poll(() => colored(visit), soon).toBeLessThan(small * 1.1)
    expect(await colored(visit)).toBeGreaterThan(small * 0.9)
    files.contents.delete('cad/row.glb')
    await tell('files')
    await page.getByText('The model is gone').waitFor()
  },
  PATIENT,
)

async function openEverything({ page }: PanelVisit): Promise<void> {
  for (const name of ['Parts', 'Measure', 'Section'])
    await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('treeitem', { name: 'Pair' }).click()
  await page.getByRole('slider', { name: 'Position' }).waitFor()
}

const LOOKS = [
  { colorScheme: 'light', viewport: WIDE },
  { colorScheme: 'dark', viewport: WIDE },
  { colorScheme: 'light', viewport: NARROW },
  { colorScheme: 'dark', viewport: NARROW },
] as const

async function findings(look: (typeof LOOKS)[number]) {
  await using visit = await show({ ...look, reducedMotion: 'reduce' })
  const { page } = visit
  await openEverything(visit)
  const complained = await complaints(page, { within: '#root', hasFrames: false })
  await page.setViewportSize(NARROW)
  // The view follows once the browser has told it its size.
  await expect.poll(() => page.evaluate(overflowing), soon).toEqual([])
  return { complained, width: await page.evaluate(() => document.documentElement.scrollWidth) }
}
const NOTHING = { complained: [], width: NARROW.width }

deepTest(
  '[W-317][W-318] nothing is wrong with the parts, the measurement and the section',
  async () => {
    expect(await findings(LOOKS[1])).toEqual(NOTHING)
  },
  PATIENT,
)

deepTest(
  '[W-317][W-318] in either theme, wide or narrow',
  async () => {
    for (const look of LOOKS) expect(await findings(look)).toEqual(NOTHING)
  },
  120_000,
)
