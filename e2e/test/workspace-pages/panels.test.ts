import { expect, test } from 'vitest'
import { shows } from '../identity-pages/bench.ts'
import { panelNamed, tabNamed, useWorkspaces } from './workspace.ts'

const bench = useWorkspaces()

test('[W-261] the picker: by category, by words, with what is planned and what is there already', async () => {
  const workspace = await bench.make()
  await workspace.add('schematic-editor')
  await using visit = await bench.open(workspace)
  const { page } = visit
  await page.getByRole('button', { name: 'Add panel', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a panel' })
  await dialog.getByRole('button', { name: /^Motor control planned/ }).waitFor()
  expect(await dialog.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([
    'Development',
    'Control',
    'Visualization',
    'Media',
    'Utility',
  ])
  const schematic = dialog.getByRole('button', {
    name: /^Schematic editor.*Already here, and it can be here once/,
  })
  expect(await schematic.isDisabled()).toBe(true)
  await dialog.getByRole('textbox', { name: 'Search' }).fill('led')
  await dialog.getByText(/^1 panel\b/).waitFor()
  await dialog.getByRole('button', { name: /^LED control/ }).click()
  await tabNamed(page, 'LED control').waitFor()
  await panelNamed(page, 'LED control').getByText('The LED control panel is planned').waitFor()
})

test('[W-277] every icon of the catalogue is drawn', async () => {
  const workspace = await bench.make()
  await using visit = await bench.open(workspace)
  const { page } = visit
  await page.getByRole('button', { name: 'Add panel', exact: true }).click()
  const choices = page.getByRole('dialog').locator('ul button')
  await choices.first().waitFor()
  const plain = choices.filter({ has: page.locator('.lucide-layout-panel-left') })
  expect(await plain.allInnerTexts()).toEqual([])
  expect(await choices.count()).toBeGreaterThan(30)
})

test('[W-269] a panel that has left the catalogue says so', async () => {
  const workspace = await bench.make()
  const { handle } = workspace.owner
  const added = (await workspace.callAsOwner('POST', `/api/panels/catalog/${handle}`, {
    name: 'Weather',
    description: 'The weather here',
    category: 'Utility',
    icon: 'no-such-icon',
    url: 'https://weather.example/',
  })) as { id: string }
  await workspace.add(added.id)
  await workspace.callAsOwner('DELETE', `/api/panels/catalog/${added.id}`)
  await using visit = await bench.open(workspace)
  expect(await shows(panelNamed(visit.page, 'Weather').getByText('not in the catalogue any more'))).toBe(true)
})

test('[W-269] a panel whose code cannot be fetched is loaded when asked again', async () => {
  const workspace = await bench.make()
  await workspace.add('system-log')
  await using visit = await bench.visit({ expectedFaults: [/ERR_FAILED/] })
  const { page } = visit
  let isDown = true
  await page.route(/system-log-panel/, (route) => (isDown ? route.abort() : route.continue()))
  await bench.openIn(visit, workspace)
  await page.getByText('The code of this panel could not be fetched').waitFor()
  isDown = false
  await page.getByRole('button', { name: 'Try again' }).click()
  expect(await shows(page.getByRole('group', { name: 'System log' }).getByRole('log'))).toBe(true)
})

test('[W-269] a panel that throws is replaced by words, and starts again; its neighbour goes on', async () => {
  const workspace = await bench.make()
  const { panelId } = await workspace.add('motor-control')
  await using visit = await bench.open(workspace, { expectedFaults: [/no root today/] })
  const { page } = visit
  await page.evaluate(() => {
    const whole = Object.getOwnPropertyDescriptor(Element.prototype, 'attachShadow') ?? {}
    const broken = () => {
      throw new Error('no root today')
    }
    Object.defineProperty(Element.prototype, 'attachShadow', { ...whole, value: broken })
    Object.assign(globalThis, {
      mend: () => Object.defineProperty(Element.prototype, 'attachShadow', whole),
    })
  })
  await workspace.add('code-editor', { panelId, direction: 'right' })
  const panel = panelNamed(page, 'Code editor')
  await panel.getByText('This panel stopped working').waitFor()
  await panelNamed(page, 'Motor control').getByText('The Motor control panel is planned').waitFor()
  await page.evaluate('mend()')
  await panel.getByRole('button', { name: 'Start it again' }).click()
  expect(await shows(panel.getByRole('textbox').first())).toBe(true)
})
