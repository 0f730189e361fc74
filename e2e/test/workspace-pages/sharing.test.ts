import type { Locator, Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { heading, plugInAuthenticator, shows } from '../identity-pages/bench.ts'
import { makeAccount, newHandle } from '../installation/accounts.ts'
import { useWorkspaces, type Workspace } from './workspace.ts'

const bench = useWorkspaces()
const PATIENCE = { timeout: 120_000 }

async function openDialog(page: Page) {
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Share this workspace' })
  await dialog.getByRole('list', { name: 'People with access' }).waitFor()
  return dialog
}

const invite = async (workspace: Workspace, body: object) =>
  ((await workspace.callAsOwner('POST', ':workspace/invitations', body)) as { url: string }).url

test(
  '[J-96][W-520][W-522][W-523][W-524] somebody without an account joins by a link, looks, becomes an editor and is removed',
  PATIENCE,
  async () => {
    const workspace = await bench.make()
    await workspace.add('system-log')
    await using owner = await bench.open(workspace)
    await owner.page.getByRole('button', { name: 'Capture', exact: true }).waitFor()
    const dialog = await openDialog(owner.page)
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await dialog.getByText('Copy the link now').waitFor()
    const link = await dialog.locator('code', { hasText: '/join#' }).innerText()
    expect(await shows(dialog.getByText('1 use left'))).toBe(true)

    await using visit = await bench.visit()
    const { page } = visit
    await plugInAuthenticator(page)
    await page.goto(link)
    await heading(page, `Join ${workspace.path.slice('/workspaces/'.length)}`).waitFor()
    expect(await shows(page.getByText('As a viewer you see all of it'))).toBe(true)
    expect(page.url()).toBe(`${bench.site.url}/join`)
    await page.getByRole('link', { name: 'Create an account with a passkey' }).click()
    const handle = newHandle('eve')
    await page.getByRole('textbox', { name: /^Handle/ }).fill(handle)
    await page.getByRole('textbox', { name: /^Name/ }).fill('Eve')
    await page.getByRole('button', { name: 'Sign up with a passkey' }).click()
    await page.getByRole('button', { name: 'Join', exact: true }).click()
    await page.waitForURL(bench.site.url + workspace.path)
    await page.getByText('View only').waitFor()
    expect(await page.evaluate(() => Object.keys(sessionStorage).join())).not.toContain('join')
    expect(await page.getByRole('button', { name: /^Add|^Actions/ }).count()).toBe(0)

    await dialog.getByRole('button', { name: new RegExp(`Role of ${handle}`) }).click()
    await owner.page.getByRole('option', { name: 'Editor' }).click()
    expect(await shows(page.getByRole('button', { name: 'Add panel' }))).toBe(true)
    await dialog.getByRole('button', { name: `Remove ${handle}` }).click()
    await owner.page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    expect(await shows(page.getByText('You do not have access to this workspace'))).toBe(true)
  },
)

test(
  '[W-521][W-523][W-526] people are added by handle, find it in their list, and leave',
  PATIENCE,
  async () => {
    const workspace = await bench.make()
    const bob = await makeAccount(bench.site, newHandle('bob'))
    await using owner = await bench.open(workspace, { expectedFaults: [/404/] })
    const dialog = await openDialog(owner.page)
    const field = dialog.getByRole('textbox', { name: 'Add by handle' })
    await field.fill('nobody-has-this')
    await field.press('Enter')
    expect(await shows(dialog.getByText('Nobody has this handle.'))).toBe(true)
    await field.fill(bob.handle)
    await field.press('Enter')
    await dialog.getByRole('button', { name: `Remove ${bob.handle}` }).waitFor()

    await using visit = await bench.open(workspace, { as: bob })
    const { page } = visit
    await page.goto(`${bench.site.url}/workspaces`)
    await page.getByRole('heading', { name: 'Shared with you' }).waitFor()
    await page.getByRole('link', { name: workspace.path.slice('/workspaces/'.length) }).click()
    await page.getByText('View only').waitFor()
    const theirs = await openDialog(page)
    expect(await theirs.getByText('Only the owner can add or remove people.').isVisible()).toBe(true)
    expect(await theirs.getByRole('textbox').count()).toBe(0)
    await theirs.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL(`${bench.site.url}/workspaces`)
    await page.getByText('None yet.').waitFor()
    expect(await page.getByRole('heading', { name: 'Shared with you' }).count()).toBe(0)
  },
)

deepTest(
  '[W-522][W-524] a link that was revoked says so, and who is signed in joins with a press',
  async () => {
    const workspace = await bench.make()
    const [one, other] = [
      await invite(workspace, { role: 'viewer' }),
      await invite(workspace, { role: 'editor' }),
    ]
    await using owner = await bench.open(workspace)
    const dialog = await openDialog(owner.page)
    await dialog.getByRole('button', { name: 'Revoke the viewer link' }).click()
    await dialog.getByRole('button', { name: 'Revoke the viewer link' }).waitFor({ state: 'detached' })
    await using visit = await bench.visitAs({ expectedFaults: [/410/] })
    const { page } = visit
    await page.goto(one)
    await heading(page, 'This invitation cannot be used').waitFor()
    await page.goto(`${bench.site.url}/`)
    await page.goto(other)
    await page.getByRole('button', { name: 'Join', exact: true }).click()
    await page.waitForURL(bench.site.url + workspace.path)
    expect(await shows(page.getByRole('button', { name: 'Add panel' }))).toBe(true)
  },
)

deepTest('[W-528] a workspace is shared and unshared with the keyboard alone', PATIENCE, async () => {
  const workspace = await bench.make()
  const bob = await makeAccount(bench.site, newHandle('bob'))
  await using owner = await bench.open(workspace)
  const { page } = owner
  const { keyboard } = page
  const share = page.getByRole('button', { name: 'Share', exact: true })
  /** As often as somebody would press it. */
  const tabTo = async (wanted: Locator) => {
    for (let stop = 0; stop < 30; stop += 1) {
      if (await wanted.evaluate((element) => element === document.activeElement)) return
      await keyboard.press('Tab')
    }
    throw new Error(`${String(wanted)} is out of reach`)
  }
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  await tabTo(share)
  await keyboard.press('Enter')
  await page.getByRole('list', { name: 'People with access' }).waitFor()
  await tabTo(page.getByRole('textbox', { name: 'Add by handle' }))
  await keyboard.type(bob.handle)
  await keyboard.press('Enter')
  await page.getByRole('button', { name: `Remove ${bob.handle}` }).waitFor()
  await tabTo(button(new RegExp(`Role of ${bob.handle}`)))
  await keyboard.press('Enter')
  await page.getByRole('option', { name: 'Editor' }).waitFor()
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await page.getByRole('button', { name: new RegExp(`Editor.*Role of ${bob.handle}`) }).waitFor()
  await tabTo(button('Create link'))
  await keyboard.press('Enter')
  await page.getByText('Copy the link now').waitFor()
  await page.getByRole('button', { name: 'Revoke the viewer link' }).waitFor()
  await tabTo(button('Revoke the viewer link'))
  await keyboard.press('Enter')
  await page.getByText('No links yet.').waitFor()
  await tabTo(button(`Remove ${bob.handle}`))
  await keyboard.press('Enter')
  await page.getByRole('alertdialog').waitFor()
  await tabTo(page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }))
  await keyboard.press('Enter')
  await page.getByRole('button', { name: `Remove ${bob.handle}` }).waitFor({ state: 'detached' })
  // What had the focus went with the person; the dialog takes it two frames later, and hears no key before.
  const dialog = page.getByRole('dialog')
  await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  await keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await share.evaluate((element) => element === document.activeElement)).toBe(true)
})

test(
  '[W-528] who goes while the question about them is open takes it with them, and the dialog has the focus',
  PATIENCE,
  async () => {
    const workspace = await bench.make()
    const bob = await makeAccount(bench.site, newHandle('bob'))
    const member = `:workspace/members/${bob.handle}`
    await workspace.callAsOwner('PUT', member, { role: 'viewer' })
    await using owner = await bench.open(workspace)
    const { page } = owner
    const dialog = await openDialog(page)
    await dialog.getByRole('button', { name: `Remove ${bob.handle}` }).press('Enter')
    const question = page.getByRole('alertdialog')
    await question.waitFor()
    await workspace.callAsOwner('DELETE', member)
    await question.waitFor({ state: 'detached' })
    await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const share = page.getByRole('button', { name: 'Share', exact: true })
    expect(await share.evaluate((element) => element === document.activeElement)).toBe(true)
  },
)
