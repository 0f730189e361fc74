import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, depth, isDeep } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { complaints, overflowing, smallControls } from '@patchbay/web/test/complaints'
import { expect, test } from 'vitest'
import { makeAccount, newHandle } from '../installation/accounts.ts'
import { PHONE, WIDE } from '../pages/viewports.ts'
import { viewsOf } from '../pages/views.ts'
import { files, rowNamed } from './files.ts'
import { tabNamed, useWorkspaces, type Workspace } from './workspace.ts'

const bench = useWorkspaces()
const LONG = 'A very long title that somebody gave to a tab because nobody had stopped them from it'

interface Look {
  readonly name: string
  fill?(workspace: Workspace): Promise<void>
  show?(page: Page, workspace: Workspace): Promise<void>
}

async function fill(workspace: Workspace): Promise<void> {
  const { panelId } = await workspace.add('code-editor')
  await workspace.add('system-log', { panelId, displayName: LONG })
  await workspace.add('code-editor', { panelId, direction: 'right', displayName: 'Right arm' })
  await workspace.add('sandbox', { panelId, direction: 'down' })
}

const LONG_FILE = 'a very long name that somebody gave to a table of measurements of the whole night.csv'

async function fillFiles(workspace: Workspace): Promise<void> {
  await workspace.add('files')
  await workspace.write('notes.md', 'n')
  await workspace.write('README.md', 'one\ntwo\n')
  await workspace.write(`src/${LONG_FILE}`, '0;0\n')
  await workspace.write('README.md', 'one\n2\n')
}

const LOOKS: readonly Look[] = [
  { name: 'an empty workspace' },
  { name: 'a workspace full of panels', fill },
  {
    name: 'the picker',
    fill,
    show: async (page) => {
      await page.getByRole('button', { name: 'Add panel', exact: true }).click()
      await page.getByRole('button', { name: /^Code editor/ }).waitFor()
    },
  },
  {
    name: 'the menu of a tab',
    fill,
    show: async (page) => {
      await page.getByRole('button', { name: 'Actions for Right arm' }).click()
      await page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'find in files',
    fill: fillFiles,
    show: async (page) => {
      await page.keyboard.press('Control+Shift+F')
      await page.getByRole('combobox', { name: 'Find' }).fill('o')
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'the agents',
    fill,
    show: async (page) => {
      await page.getByRole('button', { name: 'Agents' }).click()
      await page.getByRole('button', { name: /^End access/ }).waitFor()
    },
  },
  {
    name: 'the people it is shared with',
    fill: async (workspace) => {
      await fill(workspace)
      for (const handle of [newHandle('bob'), newHandle('carl')]) {
        await makeAccount(bench.site, handle)
        await workspace.callAsOwner('PUT', `:workspace/members/${handle}`, { role: 'editor' })
      }
    },
    show: async (page) => {
      await page.getByRole('button', { name: 'Share', exact: true }).click()
      await page.getByRole('button', { name: 'Create link' }).click()
      await page.getByText('Copy the link now').waitFor()
      await page.getByRole('button', { name: 'Revoke the viewer link' }).waitFor()
    },
  },
  {
    name: 'who is here',
    fill: async (workspace) => {
      await fill(workspace)
      await workspace.add('code-editor', { displayName: 'Left arm' })
    },
    show: async (page, workspace) => {
      const bob = await makeAccount(bench.site, newHandle('bob'), { name: LONG.slice(0, 80) })
      await workspace.callAsOwner('PUT', `:workspace/members/${bob.handle}`, { role: 'editor' })
      await bench.open(workspace, { as: bob })
      const people = page.getByRole('button', { name: 'People here: 2' })
      await people.click()
      await page.getByRole('button', { name: /^Follow A very long/ }).click()
      await page.getByRole('button', { name: /^Stop following/ }).waitFor()
      await people.click()
      await page.getByRole('dialog', { name: 'People here' }).waitFor()
    },
  },
  {
    name: 'the question whether to share',
    fill,
    show: async (page, workspace) => {
      await workspace
        .call('PATCH', ':workspace/current/screenshot', { scope: 'workspace', reason: LONG })
        .catch(() => undefined)
      await page.getByRole('dialog').getByText(LONG).waitFor()
    },
  },
  {
    name: 'files',
    fill: fillFiles,
    show: async (page) => {
      await rowNamed(page, 'src').press('ArrowRight')
      await rowNamed(page, LONG_FILE).waitFor()
    },
  },
  {
    name: 'the history of a file',
    fill: fillFiles,
    show: async (page) => {
      await rowNamed(page, 'README.md').press('Enter')
      await files(page).getByRole('button', { name: 'History' }).click()
      await page.locator('.cm-changedLine').first().waitFor()
    },
  },
  {
    name: 'the menu of a file',
    fill: fillFiles,
    show: async (page) => {
      await rowNamed(page, 'README.md').press('Shift+F10')
      await page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'uploads that wait for a decision',
    fill: fillFiles,
    show: async (page) => {
      await rowNamed(page, 'README.md').waitFor()
      await files(page)
        .locator('input[type=file]:not([webkitdirectory])')
        .setInputFiles(
          ['README.md', 'notes.md', 'nul.txt'].map((name) => ({
            name,
            mimeType: 'text/plain',
            buffer: Buffer.from('x'),
          })),
        )
      await files(page).getByText('2 files already exist').waitFor()
    },
  },
  {
    name: 'the history of all files',
    fill: fillFiles,
    show: async (page) => {
      await files(page).getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'History of all files' }).click()
      const changes = files(page).getByRole('list', { name: 'Changes' }).getByRole('button')
      await changes.nth(1).click()
      await files(page)
        .getByRole('button', { name: /^Wrote/ })
        .waitFor()
    },
  },
  {
    name: 'the palette',
    fill: fillFiles,
    show: async (page) => {
      await page.getByRole('button', { name: /^Search and commands/ }).click()
      await page.getByRole('combobox').fill('me')
      await page.getByRole('option', { name: /^README/ }).waitFor()
    },
  },
  {
    name: 'the shortcuts',
    fill,
    show: async (page) => {
      await tabNamed(page, 'Right arm').press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    },
  },
  {
    name: 'renaming',
    fill,
    show: async (page) => {
      await tabNamed(page, 'Right arm').press('F2')
      await page.getByRole('textbox', { name: 'Title' }).waitFor()
    },
  },
]

/** Of a page with panels and of one with something over it. */
const CROSS_SECTION = LOOKS.filter(({ name }) =>
  ['a workspace full of panels', 'the palette', 'files'].includes(name),
)

test.each(depth({ common: CROSS_SECTION, deep: LOOKS }))(
  '[W-272] $name: for everyone, in both themes, wide and narrow',
  { timeout: 60_000 },
  async (look) => {
    const workspace = await bench.make()
    await look.fill?.(workspace)
    await using visit = await bench.open(workspace, {
      viewport: WIDE,
      colorScheme: 'light',
      reducedMotion: 'reduce',
      hasTouch: true,
    })
    const { page } = visit
    await page
      .getByRole(look.fill === undefined ? 'heading' : 'tab')
      .first()
      .waitFor()
    await look.show?.(page, workspace)
    const within = '#root, [data-overlay]'
    for (const { viewport, theme } of viewsOf(LOOKS.indexOf(look))) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme: theme })
      // Seen whole in the light, a scene has only its colors left to be checked in the dark.
      expect(await complaints(page, { within, contrastOnly: isDeep && theme === 'dark' })).toEqual([])
    }
    await page.setViewportSize(PHONE)
    expect(await page.evaluate(smallControls)).toEqual([])
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 700 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      // The dock follows the window in the frame after.
      await waitUntil(
        `nothing sticks out at ${width}`,
        async () => (await page.evaluate(overflowing)).length === 0,
      )
    }
  },
)

deepTest('[W-271] on a narrow screen leaves stand below each other, and what is stored stays', async () => {
  const workspace = await bench.make()
  await fill(workspace)
  const before = await workspace.current()
  await using visit = await bench.open(workspace, { viewport: PHONE, hasTouch: true })
  const { page } = visit
  await tabNamed(page, 'Right arm').waitFor()
  const lefts = await page
    .getByRole('tablist')
    .evaluateAll((lists) => lists.map((list) => list.getBoundingClientRect().left))
  expect(lefts).toEqual([0, 0, 0])
  await page.setViewportSize(WIDE)
  await page.getByRole('separator').first().waitFor()
  expect((await workspace.current()).version).toBe(before.version)
})

deepTest('[W-272] nothing moves for people who asked for that', async () => {
  const workspace = await bench.make()
  const { panelId } = await workspace.add('webview')
  const moving = () =>
    document
      .getAnimations()
      .filter((animation) => Number(animation.effect?.getComputedTiming().endTime) > 100).length
  const act = () => workspace.call('PATCH', '/api/panels/webview/:ref', { panelId, action: 'refresh' })
  for (const { reducedMotion, isMoving } of [
    { reducedMotion: 'reduce', isMoving: false },
    { reducedMotion: 'no-preference', isMoving: true },
  ] as const) {
    await using visit = await bench.open(workspace, { reducedMotion })
    await tabNamed(visit.page, 'Web view').waitFor()
    await act()
    await tabNamed(visit.page, 'Web view').getByText('Nightly agent: reloaded the page').waitFor()
    expect([reducedMotion, (await visit.page.evaluate(moving)) > 0]).toEqual([reducedMotion, isMoving])
  }
})
