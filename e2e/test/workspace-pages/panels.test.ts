import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { shows } from '../identity-pages/bench.ts'
import { tolerating } from '../panel-control/tolerating.ts'
import { panelNamed, tabNamed, useWorkspaces } from './workspace.ts'

const bench = useWorkspaces()

deepTest('[W-261] F5: the picker: by category, by words, with what is there already', async () => {
  const workspace = await bench.make()
  await workspace.add('viewer-3d')
  // Reading back what software has drawn is slow, and the browser says so now and then.
  await using visit = tolerating(await bench.open(workspace), /GPU stall due to ReadPixels/)
  const { page } = visit
  await page.getByRole('button', { name: 'Add panel', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a panel' })
  await dialog.getByRole('heading', { level: 3 }).first().waitFor()
  expect(await dialog.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([
    'Development',
    'Control',
    'Visualization',
    'Media',
    'Utility',
  ])
  const viewer = dialog.getByRole('button', {
    name: /^3D viewer.*Already open; only one is allowed/,
  })
  expect(await viewer.isDisabled()).toBe(true)
  await dialog.getByRole('textbox', { name: 'Search' }).fill('system-log')
  await dialog.getByText(/^1 panel\b/).waitFor()
  await dialog.getByRole('button', { name: /^System log/ }).click()
  await tabNamed(page, 'System log').waitFor()
})

test('[W-277] every icon of the catalog is drawn', async () => {
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

test('[W-269] a panel that has left the catalog says so', async () => {
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
  expect(await shows(panelNamed(visit.page, 'Weather').getByText('no longer in the catalog'))).toBe(true)
})

deepTest('[W-269] F5: a tab from before whose panel does not exist says that it is coming', async () => {
  const workspace = await bench.make()
  await workspace.add('system-log')
  await using visit = await bench.visit()
  // Nobody can add such a panel: the page is told of one that is there that it is only planned.
  await visit.page.route(/\/api\/panels\/catalog/, async (route) => {
    const answer = await route.fetch()
    const { items, ...rest } = (await answer.json()) as { items: { kind: string }[] }
    const changed = items.map((item) =>
      item.kind === 'system-log' ? { ...item, availability: 'planned' } : item,
    )
    await route.fulfill({ response: answer, json: { ...rest, items: changed } })
  })
  await bench.openIn(visit, workspace)
  expect(await shows(panelNamed(visit.page, 'System log').getByText('System log is coming soon'))).toBe(true)
})

deepTest('[W-269] a panel whose code cannot be fetched is loaded when asked again', async () => {
  const workspace = await bench.make()
  await workspace.add('system-log')
  await using visit = await bench.visit({ expectedFaults: [/ERR_FAILED/] })
  const { page } = visit
  let isDown = true
  await page.route(/system-log-panel/, (route) => (isDown ? route.abort() : route.continue()))
  await bench.openIn(visit, workspace)
  await page.getByText('This panel could not be loaded').waitFor()
  isDown = false
  await page.getByRole('button', { name: 'Try again' }).click()
  expect(await shows(page.getByRole('group', { name: 'System log' }).getByRole('log'))).toBe(true)
})

deepTest(
  '[W-269] a panel that throws is replaced by words, and starts again; its neighbor goes on',
  async () => {
    const workspace = await bench.make()
    const { panelId } = await workspace.add('system-log')
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
    await panelNamed(page, 'System log').getByRole('log').waitFor()
    await page.evaluate('mend()')
    await panel.getByRole('button', { name: 'Restart' }).click()
    expect(await shows(panel.getByRole('textbox').first())).toBe(true)
  },
)

deepTest(
  '[W-454] F12: an error of the page, and code of an agent that failed, are in the system log',
  async () => {
    const workspace = await bench.make()
    const { panelId } = await workspace.add('system-log')
    const sandbox = await workspace.add('sandbox', { panelId, direction: 'right' })
    await using visit = await bench.open(workspace, { expectedFaults: [/boom/] })
    const { page } = visit
    const log = page.getByRole('log')
    await log.waitFor()
    await page.evaluate(() => {
      setTimeout(() => {
        throw new Error('boom')
      })
    })
    await log.getByText('Uncaught Error: boom').waitFor()
    await panelNamed(page, 'Sandbox').getByText('Ready').waitFor()
    await workspace.call('PATCH', '/api/panels/sandbox/:ref', {
      panelId: sandbox.panelId,
      action: 'eval',
      code: 'throw new Error("out of range")',
    })
    await log.getByText('Code failed: Error: out of range').waitFor()
    expect(await log.getByText('Uncaught Error: boom').count()).toBe(1)
  },
)
