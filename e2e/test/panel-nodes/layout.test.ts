import { randomUUID } from 'node:crypto'
import type { Layout, Leaf, Tab } from '@patchbay/contracts/panels'
import type { Page } from '@patchbay/testkit/chromium'
import { depth } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { findTab, tabs } from '@patchbay/workspace-layout'
import { expect, test } from 'vitest'
import { tolerating } from '../panel-control/tolerating.ts'
import { tabNamed, type Workspace } from '../workspace-pages/workspace.ts'
import { type OpenPage, type SharedWorkspace, useNodes } from './nodes.ts'
import { allConfirmed, bordersIn, leavesIn, leavesOf } from './shown.ts'

const PATIENCE = { timeout: 180_000 }
const BETWEEN_CHANGES = { timeout: 120_000 }
const CHANGES = depth({ common: 140, deep: 1_000 })
const OF_EACH_PAGE = depth({ common: 6, deep: 55 })
/** Of so many calls one adds a tab, one removes one, three move one, and the others rename. */
const ROUND = 45
const ROUNDS = depth({ common: 3, deep: 20 })

// Reading back what software has drawn is slow, and the browser says so now and then.
const SLOW_READING = /GPU stall due to ReadPixels/

const bench = useNodes()

/** Three leaves: one beside two that stand below each other. */
async function furnish({ atOne }: SharedWorkspace) {
  await atOne.add('webview')
  const { layout: before, version } = await atOne.current()
  const panel = tabs(before)[0]?.panel ?? ''
  const named = (title: string): Tab => ({ id: randomUUID(), panel, title })
  const leafOf = (...titles: string[]): Leaf => {
    const all = titles.map(named)
    return { type: 'leaf', id: randomUUID(), tabs: all, activeTabId: all[0]?.id ?? null }
  }
  const many = (word: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${word} ${index}`)
  const left = leafOf('Left', ...many('Wanders', 8))
  const top = leafOf('Top', ...many('Goes', ROUNDS))
  const bottom = leafOf('Bottom', 'Dragged', ...many('Mine', 3), ...many('Theirs', 3))
  const column = {
    type: 'split',
    id: randomUUID(),
    direction: 'column',
    sizes: [0.5, 0.5],
    children: [top, bottom],
  } as const
  const row = {
    type: 'split',
    id: randomUUID(),
    direction: 'row',
    sizes: [0.5, 0.5],
    children: [left, column],
  } as const
  const layout: Layout = { root: row }
  await atOne.call('PUT', ':workspace/current', { version, layout })
  const idsOf = (leaf: Leaf, word: string) =>
    leaf.tabs.filter(({ title }) => title.startsWith(word)).map(({ id }) => id)
  return { left, top, row, column, wanderers: idsOf(left, 'Wanders'), going: idsOf(top, 'Goes') }
}

interface Made {
  readonly kind: 'add' | 'remove' | 'move' | 'rename'
  readonly tabId: string
  readonly value: string
  readonly version: number
  /** The answer to a former try did not come in time: that one may have been made at any moment since. */
  readonly isRepeated: boolean
}

/** A call of a script, which asks again where the server was too busy. */
async function insist(
  at: Workspace,
  method: string,
  path: string,
  body?: unknown,
): Promise<Pick<Made, 'version' | 'isRepeated'>> {
  for (let again = 0; ; again += 1) {
    const isRepeated = again > 0
    try {
      const answer = (await at.call(method, path, body)) as { version: number } | undefined
      return { version: answer?.version ?? 0, isRepeated }
    } catch (error) {
      const isBusy = error instanceof Error && /^50[34] /.test(error.message)
      // Closed by the call whose answer did not come.
      if (isRepeated && method === 'DELETE' && String(error).includes('panel_not_found'))
        return { version: 0, isRepeated }
      if (!isBusy || again === 20) throw error
    }
  }
}

/** Presses the arrow keys on a border, to and fro, until so many of the page's changes were sent. */
async function push(
  { page, said }: OpenPage,
  splitId: string,
  keys: readonly [string, string],
): Promise<void> {
  const border = page.locator(`[role=separator][data-split-id="${splitId}"]`)
  for (let press = 0; said('change').length < OF_EACH_PAGE; press += 1) {
    if (press > OF_EACH_PAGE * 20) throw new Error('the border does not move')
    // A border is made anew whenever the layout changes, which it does all the time here.
    await border.press(keys[Math.floor(press / 5) % 2] ?? keys[0], BETWEEN_CHANGES)
  }
}

async function close(page: Page, titles: readonly string[]): Promise<void> {
  for (const title of titles) await tabNamed(page, title).press('Delete', BETWEEN_CHANGES)
}

/** To the left, again if somebody rearranged everything while it hung in the air. */
async function drag({ page, said }: OpenPage, title: string): Promise<void> {
  const isSent = () => said('change').some(({ change }) => change.type === 'moveTab')
  for (let attempt = 0; attempt < 40 && !isSent(); attempt += 1) {
    await tabNamed(page, title).dragTo(page.locator('.dv-dockview'), {
      targetPosition: { x: 250, y: 380 },
      force: true,
    })
  }
}

test('[J-75] of many changes at once, at both nodes and in both pages, none is lost', PATIENCE, async () => {
  const workspace = await bench.make()
  const { left, top, row, column, wanderers, going } = await furnish(workspace)
  await using mine = tolerating(await bench.open(workspace, { node: bench.nodes.one }), SLOW_READING)
  await using other = tolerating(await bench.open(workspace, { node: bench.nodes.other }), SLOW_READING)
  const { version: begun } = await workspace.atOne.current()

  const call = async (index: number): Promise<Made> => {
    const at = index % 2 === 0 ? workspace.atOne : workspace.atOther
    const round = Math.floor(index / ROUND)
    const wanderer = wanderers[index % wanderers.length] ?? ''
    const path = (tabId: string) => `:workspace/current/tabs/${tabId}`
    const made = async (
      kind: Made['kind'],
      tabId: string,
      value: string,
      answer: ReturnType<typeof insist>,
    ): Promise<Made> => ({ kind, tabId, value, ...(await answer) })
    if (index % ROUND === 0) {
      const tabId = randomUUID()
      const body = {
        panelType: 'webview',
        panelId: top.id,
        tabId,
        displayName: `New ${index}`,
        activate: false,
      }
      return await made('add', tabId, '', insist(at, 'POST', ':workspace/current/tabs', body))
    }
    if (index % ROUND === 1) {
      const tabId = going[round] ?? ''
      return await made('remove', tabId, '', insist(at, 'DELETE', path(tabId)))
    }
    if (index % ROUND < 5) {
      const panelId = index % 3 === 0 ? left.id : top.id
      return await made(
        'move',
        wanderer,
        panelId,
        insist(at, 'PATCH', path(wanderer), { moveTo: { panelId } }),
      )
    }
    const displayName = `Wanders ${index}`
    return await made('rename', wanderer, displayName, insist(at, 'PATCH', path(wanderer), { displayName }))
  }
  const [made] = await Promise.all([
    Promise.all(Array.from({ length: ROUNDS * ROUND }, (_, index) => call(index))),
    (async () => {
      await close(mine.page, ['Mine 0', 'Mine 1', 'Mine 2'])
      await drag(mine, 'Dragged')
      await push(mine, row.id, ['ArrowLeft', 'ArrowRight'])
    })(),
    (async () => {
      await close(other.page, ['Theirs 0', 'Theirs 1', 'Theirs 2'])
      await push(other, column.id, ['ArrowUp', 'ArrowDown'])
    })(),
  ])
  const byPages = (await allConfirmed(mine)) + (await allConfirmed(other))
  expect(made.length + byPages).toBeGreaterThanOrEqual(CHANGES)

  const { layout, version } = await workspace.atOther.current()
  const versions = new Set(made.map((each) => each.version).filter((each) => each > begun))
  expect(version - begun).toBeGreaterThanOrEqual(versions.size)
  /** The last of them; a try that was given up may have come after it. */
  const outcomes = (kind: Made['kind'], tabId: string) => {
    const all = made.filter((each) => each.kind === kind && each.tabId === tabId)
    const last = all.toSorted((one, next) => one.version - next.version).at(-1)
    return [last, ...all.filter(({ isRepeated }) => isRepeated)].map((each) => each?.value)
  }
  for (const tabId of wanderers) {
    const found = findTab(layout, tabId)
    expect(outcomes('rename', tabId)).toContain(found?.tab.title)
    expect(outcomes('move', tabId)).toContain(found?.leaf.id)
  }
  const present = new Set(tabs(layout).map(({ id }) => id))
  expect(made.filter(({ kind, tabId }) => kind === 'add' && !present.has(tabId))).toEqual([])
  expect(going.filter((tabId) => present.has(tabId))).toEqual([])
  expect(tabs(layout).filter(({ title }) => /^(?:Mine|Theirs)/.test(title))).toEqual([])
  expect(left.id).toBe(
    tabs(layout)
      .map(({ id }) => findTab(layout, id))
      .find((found) => found?.tab.title === 'Dragged')?.leaf.id,
  )

  const borderOf = ({ said }: OpenPage) => {
    const resized = said('change').flatMap(({ change }) => (change.type === 'resizeSplit' ? [change] : []))
    return Math.round((resized.at(-1)?.sizes[0] ?? 0) * 100)
  }
  const borders = { [row.id]: borderOf(mine), [column.id]: borderOf(other) }
  for (const { page, heard } of [mine, other]) {
    await waitUntil('the last version has come', () => heard('changed').at(-1)?.version === version, {
      deadlineMs: 30_000,
    })
    expect(heard('changed').at(-1)?.layout).toEqual(layout)
    await expect.poll(() => leavesIn(page), { timeout: 20_000 }).toEqual(leavesOf(layout))
    await expect.poll(() => bordersIn(page), { timeout: 20_000 }).toEqual(borders)
  }
})

test(
  '[J-76] of a panel that can be there once, a hundred calls and two people at once make one',
  PATIENCE,
  async () => {
    const workspace = await bench.make()
    await workspace.atOne.add('code-editor')
    await using mine = tolerating(await bench.open(workspace, { node: bench.nodes.one }), SLOW_READING)
    await using other = tolerating(await bench.open(workspace, { node: bench.nodes.other }), SLOW_READING)
    const pages = [mine, other].map(({ page }) => page)
    const choices = pages.map((page) => page.getByRole('dialog').getByRole('button', { name: /^3D viewer/ }))
    await Promise.all(
      pages.map(async (page, index) => {
        await page.getByRole('button', { name: 'Add panel', exact: true }).click()
        await choices[index]?.waitFor()
      }),
    )
    const calls = Array.from({ length: 100 }, async (_, index) => {
      const at = index % 2 === 0 ? workspace.atOne : workspace.atOther
      const more = index % 4 < 2 ? {} : { direction: 'right' }
      return await at.add('viewer-3d', more).then(
        () => 'made',
        (error: unknown) => (String(error).includes('singleton_exists') ? 'refused' : String(error)),
      )
    })
    // A page that has heard of it by then does not offer it anymore.
    const presses = choices.map((choice) => choice.click({ timeout: 1_000 }).catch(() => undefined))
    const [outcomes] = await Promise.all([Promise.all(calls), Promise.all(presses)])
    expect(outcomes.filter((outcome) => outcome !== 'made' && outcome !== 'refused')).toEqual([])
    expect(outcomes.filter((outcome) => outcome === 'made').length).toBeLessThanOrEqual(1)
    for (const page of pages) await page.keyboard.press('Escape')
    const { layout } = await workspace.atOther.current()
    expect(tabs(layout).filter(({ title }) => title === '3D viewer')).toHaveLength(1)
    for (const page of pages) {
      await expect.poll(() => leavesIn(page), { timeout: 20_000 }).toEqual(leavesOf(layout))
    }
  },
)
