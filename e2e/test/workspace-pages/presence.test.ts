import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { makeAccount, newHandle } from '../installation/accounts.ts'
import { panelNamed, tabNamed, useWorkspaces, type Workspace } from './workspace.ts'

const bench = useWorkspaces()

const stack = (page: Page) => page.getByRole('button', { name: /^People here/ })
const row = (page: Page, name: string) =>
  page.getByRole('dialog', { name: 'People here' }).getByRole('listitem').filter({ hasText: name })
const notice = (page: Page) => page.getByRole('status').filter({ hasText: /^\S*\s*Following / })
const stop = (page: Page) => page.getByRole('button', { name: /^Stop following/ })

/** The tab that the page has turned to: of the leaf that is marked, the one in front. */
const activeTab = (page: Page) =>
  page.locator('.dv-active-group .dv-tab[aria-selected=true]').getAttribute('aria-label')
const turnsTo = (page: Page, title: string) =>
  waitUntil(`the page turns to ${title}`, async () => (await activeTab(page)) === title)

/** What a screen reader says of a tab besides its title. */
const described = (page: Page, title: string) =>
  tabNamed(page, title).evaluate(
    (tab) =>
      document.querySelector(`#${CSS.escape(tab.getAttribute('aria-describedby') ?? '-')}`)?.textContent ??
      '',
  )

/** An editor and a log in one place, a sandbox beside it; made by its owner, so that no agent was here. */
async function fill(workspace: Workspace): Promise<void> {
  const add = async (where: 'tabs' | 'splits', body: object) =>
    (await workspace.callAsOwner('POST', `:workspace/current/${where}`, body)) as { panelId: string }
  const { panelId } = await add('tabs', { panelType: 'code-editor' })
  await add('tabs', { panelType: 'system-log', panelId, displayName: 'Log', activate: false })
  await add('splits', { panelType: 'sandbox', panelId, direction: 'right' })
}

async function makeShared(role: 'viewer' | 'editor') {
  const workspace = await bench.make()
  await fill(workspace)
  const bob = await makeAccount(bench.site, newHandle('bob'), { name: 'Bob Noyce' })
  await workspace.callAsOwner('PUT', `:workspace/members/${bob.handle}`, { role })
  return { workspace, bob }
}

test('[W-620][W-621][W-622][W-626] who is here, what they look at, and a press that goes along, for this page alone', async () => {
  const { workspace, bob } = await makeShared('viewer')
  await using mine = await bench.open(workspace)
  await tabNamed(mine.page, 'Sandbox').waitFor()
  expect(await stack(mine.page).count()).toBe(0)
  const before = await workspace.drawn()
  await using theirs = await bench.open(workspace, { as: bob })
  await using again = await bench.open(workspace, { as: bob })
  await tabNamed(again.page, 'Log').click()
  await waitUntil(
    'the tab says who is there',
    async () => (await described(mine.page, 'Log')) === 'Bob Noyce is here',
  )
  await mine.page.getByRole('banner').getByTitle('Bob Noyce — Log').waitFor()
  await stack(mine.page).click()
  expect(await stack(mine.page).getAttribute('aria-label')).toBe('People here: 1')
  expect(await row(mine.page, 'Bob Noyce').innerText()).toMatch(/Bob Noyce — Log\s+bob-\w+ · 2 windows/)
  await row(mine.page, 'Bob Noyce').getByRole('button', { name: 'Follow Bob Noyce' }).click()
  await notice(mine.page).waitFor()
  await turnsTo(mine.page, 'Log')
  expect(await workspace.drawn()).toBe(before)
  await again.page.close()

  // A press inside of a frame is theirs as well.
  await panelNamed(theirs.page, 'Sandbox').locator('iframe').click()
  await turnsTo(mine.page, 'Sandbox')
  expect(await described(mine.page, 'Log')).toBe('')
  await stack(theirs.page).click()
  await row(theirs.page, workspace.owner.handle).getByText('Following you').waitFor()
})

test('[W-623][W-628] it ends with Escape, with Stop, with a press elsewhere, and when they leave; the palette begins it', async () => {
  const { workspace, bob } = await makeShared('editor')
  await using mine = await bench.open(workspace)
  const { page } = mine
  await using theirs = await bench.open(workspace, { as: bob })
  await tabNamed(theirs.page, 'Sandbox').click()
  const follow = async () => {
    await page.keyboard.press('Control+K')
    await page.keyboard.type('follow bob')
    await page.getByRole('option', { name: /^Follow Bob Noyce/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await notice(page).waitFor()
    await turnsTo(page, 'Sandbox')
  }
  const ended = () => notice(page).waitFor({ state: 'detached' })
  await stack(page).waitFor()
  await follow()
  await page.keyboard.press('Escape')
  await ended()

  await follow()
  await stop(page).focus()
  await page.keyboard.press('Enter')
  await ended()
  await page.locator('[role=tab]:focus').waitFor()

  await follow()
  await tabNamed(page, 'Sandbox').click()
  expect(await notice(page).count()).toBe(1)
  await tabNamed(page, 'Code editor').click()
  await ended()
  await turnsTo(page, 'Code editor')

  await follow()
  await theirs.page.close()
  await ended()
  await page.getByText('Bob Noyce left the workspace').waitFor()
  await stack(page).waitFor({ state: 'detached' })
})

deepTest(
  '[W-622] what was shown because of somebody else goes back to what all see once somebody turns it',
  async () => {
    const { workspace, bob } = await makeShared('viewer')
    await using mine = await bench.open(workspace)
    const { page } = mine
    await using theirs = await bench.open(workspace, { as: bob })
    await tabNamed(theirs.page, 'Log').click()
    await stack(page).click()
    await row(page, 'Bob Noyce').getByRole('button').click()
    await turnsTo(page, 'Log')
    await page.keyboard.press('Escape')
    await stop(page).waitFor({ state: 'detached' })
    expect(await activeTab(page)).toBe('Log')
    await tabNamed(page, 'Code editor').click()
    await turnsTo(page, 'Code editor')
    await tabNamed(page, 'Log').click()
    await waitUntil('all see it', async () => (await workspace.drawn()).includes('Log*'))
    // Who may only look turns back and forth for themselves, also to what all see, and it stays so.
    await tabNamed(theirs.page, 'Code editor').click()
    await tabNamed(theirs.page, 'Log').click()
    await tabNamed(page, 'Sandbox').click()
    await page.keyboard.press('F2')
    await page.getByRole('textbox', { name: 'Title' }).fill('Bench')
    await page.keyboard.press('Enter')
    await tabNamed(theirs.page, 'Bench').waitFor()
    expect(await tabNamed(theirs.page, 'Log').getAttribute('aria-selected')).toBe('true')
  },
)
