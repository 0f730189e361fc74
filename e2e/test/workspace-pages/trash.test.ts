import { randomBytes } from 'node:crypto'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { complaints } from '@patchbay/web/test/complaints'
import { expect } from 'vitest'
import { signIn } from '../identity-pages/people.ts'
import { makeAccount } from '../installation/accounts.ts'
import { tabNamed, useWorkspaces } from './workspace.ts'

const bench = useWorkspaces()

test('[W-560][W-561][D-53][D-387] a workspace is deleted, closes where it is open, and comes back with all of it', async () => {
  const workspace = await bench.make({ repo: 'lamp' })
  await workspace.add('code-editor', { initialState: { text: 'void loop() {}' } })
  await workspace.write('README.md', '# Lamp\n')
  const { handle } = workspace.owner
  await using open = await bench.open(workspace)
  await using visit = await bench.open(workspace, { expectedFaults: [/409/] })
  const { page } = visit
  await tabNamed(open.page, 'Code editor').waitFor()
  await page.goto(`${bench.site.url}/workspaces`)
  const remove = async () => {
    await page.getByRole('button', { name: `Delete ${handle}/lamp`, exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click()
  }
  await remove()
  const trash = page.getByRole('list', { name: `Trash of ${handle}` })
  await trash.getByText(`${handle}/lamp`).waitFor()
  expect(await trash.innerText()).toContain('Gone for good')
  await open.page.getByText('Workspace not found').waitFor()

  // The name is given away, so another one is asked for.
  await workspace.callAsOwner('PUT', ':workspace')
  await trash.getByRole('button', { name: `Restore ${handle}/lamp` }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await dialog.getByText('This name is taken').waitFor()
  await dialog.getByRole('textbox', { name: 'Repository' }).fill('lamp-2')
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('link', { name: `${handle}/lamp-2` }).click()
  await page.locator('.cm-content').getByText('void loop() {}').waitFor()
  const { files } = (await workspace.callAsOwner('GET', `/api/workspaces/editor/${handle}/lamp-2/files`)) as {
    files: { path: string }[]
  }
  expect(files.map(({ path }) => path)).toEqual(['README.md'])

  await page.goto(`${bench.site.url}/workspaces`)
  await remove()
  await trash.getByRole('button', { name: `Delete for good: ${handle}/lamp` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete for good' }).click()
  await trash.waitFor({ state: 'detached' })
  expect(await page.getByRole('link', { name: /lamp/ }).allInnerTexts()).toEqual([`${handle}/lamp-2`])
})

deepTest(
  '[W-560] who may not make workspaces for an owner neither deletes them nor sees the trash',
  async () => {
    const member = await makeAccount(bench.site, `looks-${randomBytes(3).toString('hex')}`)
    const workspace = await bench.make({ members: [member] })
    await using visit = await bench.open(workspace, { as: member })
    const { page } = visit
    await page.goto(`${bench.site.url}/workspaces`)
    await page.getByRole('link', { name: /\/lamp$/ }).waitFor()
    expect(await page.getByRole('button', { name: /^Delete/ }).count()).toBe(0)
    expect(await page.getByRole('list', { name: /^Trash/ }).count()).toBe(0)
  },
)

deepTest.each(['light', 'dark'] as const)(
  '[W-30][W-560] the page of workspaces with its trash, and its questions, for everyone in %s',
  async (colorScheme) => {
    const workspace = await bench.make()
    await workspace.callAsOwner('PUT', `/api/workspaces/editor/${workspace.owner.handle}/other`)
    await workspace.callAsOwner('DELETE', ':workspace')
    await using visit = await bench.visit({ colorScheme, reducedMotion: 'reduce' })
    const { page } = visit
    await signIn(bench.site, page, workspace.owner)
    await page.goto(`${bench.site.url}/workspaces`)
    await page.getByRole('list', { name: /^Trash/ }).waitFor()
    expect(await complaints(page)).toEqual([])
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 700 })
      const [inside, room] = await page
        .getByRole('main')
        .evaluate((main) => [main.scrollWidth, main.clientWidth])
      expect(inside).toBe(room)
    }
    await page.getByRole('button', { name: /^Restore/ }).click()
    await page.getByRole('alertdialog').waitFor()
    expect(await complaints(page, { within: '[data-overlay]' })).toEqual([])
  },
)
