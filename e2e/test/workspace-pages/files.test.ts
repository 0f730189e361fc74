import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { makeAccount } from '../installation/accounts.ts'
import { cuttable } from './cuttable.ts'
import { files, makeManyFiles, rowNamed, shownNames, soon, useFiles } from './files.ts'
import { tabNamed } from './workspace.ts'

const bench = useFiles()

test('[W-500] files are listed, and what others do appears without a reload', async () => {
  const workspace = await bench.make({ 'README.md': '# Lamp\n', 'src/main.c': 'int main;\n' })
  await using visit = await bench.open(workspace)
  const { page } = visit
  await expect.poll(() => shownNames(page), soon).toEqual(['src', 'README.md'])
  await files(page).getByText('2 files · 17 bytes').waitFor()
  await rowNamed(page, 'src').dblclick()
  await expect.poll(() => shownNames(page), soon).toEqual(['src', 'main.c', 'README.md'])
  await workspace.write('src/blink.c', 'int x;\n')
  await workspace.callAsOwner('POST', ':workspace/files/changes', {
    operations: [
      { op: 'move', path: 'src/main.c', to: 'src/lamp.c' },
      { op: 'delete', path: 'README.md' },
    ],
  })
  await expect.poll(() => shownNames(page), soon).toEqual(['src', 'blink.c', 'lamp.c'])
})

deepTest(
  '[W-503] a new file has the folders of its path; a new folder is only here until it has a file',
  async () => {
    const workspace = await bench.make({ 'README.md': '' })
    await using visit = await bench.open(workspace)
    const { page } = visit
    const dialog = page.getByRole('dialog')
    await files(page).getByRole('button', { name: 'New file' }).click()
    await dialog.getByRole('textbox').fill('readme.MD')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('“README.md” already exists.').waitFor()
    await dialog.getByRole('textbox').fill('a/../b')
    await dialog.getByText('A path has no "." and no "..".').waitFor()
    await dialog.getByRole('textbox').fill('firmware/src/main.c')
    await page.keyboard.press('Enter')
    await expect.poll(() => shownNames(page), soon).toEqual(['firmware', 'src', 'main.c', 'README.md'])
    await files(page).getByRole('button', { name: 'New folder' }).click()
    // Into the folder of what is chosen.
    await expect.poll(() => dialog.getByRole('textbox').inputValue(), soon).toBe('firmware/src/')
    await page.keyboard.type('drivers')
    await page.keyboard.press('Enter')
    await rowNamed(page, 'drivers').getByText('not saved until it has a file').waitFor()
    expect(await workspace.files()).toEqual(['README.md', 'firmware/src/main.c'])
    await workspace.write('firmware/src/drivers/led.c', '')
    await rowNamed(page, 'drivers').getByText('1 file').waitFor()
  },
)

test('[W-504] things are renamed, moved by their path, and dragged to a folder and out of it', async () => {
  const workspace = await bench.make({ 'main.c': 'x', 'lib/a.c': 'a', 'lib/b.c': 'b', 'docs/notes.md': 'n' })
  await using visit = await bench.open(workspace)
  const { page } = visit
  await rowNamed(page, 'main.c').press('F2')
  // The name without its ending is what is typed over.
  await page.keyboard.type('lamp')
  await page.keyboard.press('Enter')
  await rowNamed(page, 'lamp.c').and(page.locator(':focus')).waitFor()
  expect(await workspace.files()).toContain('lamp.c')

  // Where the page has it, not only the server: a row that is about to move cannot be dragged.
  const rowAt = (path: string) => files(page).locator(`[role=treeitem][data-path="${path}"]`)
  await rowAt('lamp.c').dragTo(rowNamed(page, 'docs'))
  await rowAt('docs/lamp.c').waitFor()
  expect(await workspace.files()).toContain('docs/lamp.c')
  await page.getByRole('button', { name: 'Undo' }).click()
  await rowAt('lamp.c').waitFor()
  expect(await workspace.files()).toContain('lamp.c')
  await rowAt('lamp.c').dragTo(rowNamed(page, 'docs'))
  await rowAt('docs/lamp.c').waitFor()
  await rowNamed(page, 'lib').dragTo(rowNamed(page, 'docs'))
  await expect
    .poll(() => workspace.files(), soon)
    .toEqual(['docs/lamp.c', 'docs/lib/a.c', 'docs/lib/b.c', 'docs/notes.md'])
  await rowAt('docs/lib').waitFor()
  const free = files(page).getByRole('tree')
  const { width = 0, height = 0 } = (await free.boundingBox()) ?? {}
  await rowNamed(page, 'notes.md').dragTo(free, { targetPosition: { x: width / 2, y: height - 20 } })
  await rowAt('notes.md').waitFor()
  expect(await workspace.files()).toContain('notes.md')

  await rowAt('notes.md').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Move…' }).click()
  await page.getByRole('textbox', { name: 'Path' }).fill('docs/lib/a.c')
  await page.keyboard.press('Enter')
  await page.getByText('“docs/lib/a.c” already exists.').waitFor()
  await page.getByRole('textbox', { name: 'Path' }).fill('archive/2026/notes.md')
  await page.keyboard.press('Enter')
  await expect.poll(() => workspace.files(), soon).toContain('archive/2026/notes.md')
  await rowNamed(page, 'notes.md').waitFor()
})

deepTest(
  '[W-505] deleting asks and can be undone, and nothing that somebody has changed meanwhile is deleted unasked',
  async () => {
    const workspace = await bench.make({ 'lib/a.c': 'a', 'lib/sub/b.c': 'b', 'README.md': 'r' })
    await using visit = await bench.open(workspace, { expectedFaults: [/status of 412/] })
    const { page } = visit
    await rowNamed(page, 'lib').press('Delete')
    const dialog = page.getByRole('alertdialog', { name: /^Delete / })
    await dialog.getByText('2 files in it').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => workspace.files(), soon).toEqual(['README.md'])
    await rowNamed(page, 'README.md').and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => workspace.files(), soon).toEqual(['README.md', 'lib/a.c', 'lib/sub/b.c'])
    // The focus goes to what is back; a key that was pressed before that would be about something else.
    await page.getByText('Restored lib').waitFor()

    await rowNamed(page, 'README.md').press('Delete')
    await workspace.write('README.md', 'newer')
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByText('Changed meanwhile').waitFor()
    await dialog.getByRole('button', { name: 'Keep theirs' }).click()
    expect(await workspace.files()).toContain('README.md')
    await rowNamed(page, 'README.md').press('Delete')
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect.poll(() => workspace.files(), soon).toEqual(['lib/a.c', 'lib/sub/b.c'])
  },
)

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('data-path') ?? document.activeElement?.ariaLabel)

deepTest('[W-501] a journey with the keyboard alone', async () => {
  const workspace = await bench.make({ 'src/main.c': 'm', 'src/lib/led.c': 'l', 'README.md': 'r' })
  await using visit = await bench.open(workspace)
  const { page } = visit
  const at = async (path: string) => await expect.poll(() => focused(page), soon).toBe(path)
  await rowNamed(page, 'src').waitFor()
  await tabNamed(page, 'Files').focus()
  for (let press = 0; press < 20 && (await focused(page)) !== 'src'; press += 1)
    await page.keyboard.press('Tab')
  await at('src')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await at('src/lib')
  await page.keyboard.press('End')
  await at('README.md')
  await page.keyboard.press('m')
  await at('src/main.c')
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Name' }).waitFor()
  await page.keyboard.type('lamp')
  await page.keyboard.press('Enter')
  await at('src/lamp.c')
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menu').waitFor()
  await page.keyboard.press('Escape')
  await at('src/lamp.c')
  await page.keyboard.press('Delete')
  await page.getByRole('alertdialog').waitFor()
  await page.keyboard.press('Escape')
  await at('src/lamp.c')
  await page.keyboard.press('Enter')
  const opened = files(page).getByRole('region', { name: 'lamp.c' })
  await opened.getByRole('heading').and(page.locator(':focus')).waitFor()
  for (const label of ['History', 'Edit in the code editor', 'Download', 'Close']) {
    await page.keyboard.press('Tab')
    await at(label)
  }
  await page.keyboard.press('Enter')
  await opened.waitFor({ state: 'detached' })
  await at('src/lamp.c')
  await page.keyboard.press('ArrowLeft')
  await at('src')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => shownNames(page), soon).toEqual(['src', 'README.md'])
  await page.keyboard.press('Home')
  await page.keyboard.press('Delete')
  await page.getByRole('alertdialog').waitFor()
  await page.keyboard.press('Enter')
  await at('README.md')
  expect(await workspace.files()).toEqual(['README.md'])
})

deepTest(
  '[W-502] of ten thousand files fewer than 200 rows are in the page, wherever it is scrolled to',
  {
    timeout: 90_000,
  },
  async () => {
    const workspace = await bench.make()
    await makeManyFiles(workspace, 10_000)
    await using visit = await bench.open(workspace)
    const { page } = visit
    await files(page).getByText('10,000 files').first().waitFor()
    await rowNamed(page, 'data').dblclick()
    const rows = files(page).getByRole('treeitem')
    await rowNamed(page, 'sample-0.csv').waitFor()
    expect(await rows.count()).toBeLessThan(200)
    // A whole screen at a time, as a hand on the bar does, with no frame of nothing.
    const scrolled = await files(page)
      .getByRole('tree')
      .evaluate(async (tree) => {
        const scroller = tree.parentElement
        if (scroller === null) throw new Error('nothing to scroll')
        const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
        let most = 0
        for (let step = 1; step <= 60; step += 1) {
          scroller.scrollTop = (step / 60) * scroller.scrollHeight
          await nextFrame()
          most = Math.max(most, tree.querySelectorAll('[role=treeitem]').length)
        }
        const box = scroller.getBoundingClientRect()
        const last = document.elementFromPoint(box.left + 40, box.bottom - 10)?.closest('[role=treeitem]')
        return { most, last: last?.getAttribute('data-path') }
      })
    expect(scrolled.most).toBeLessThan(200)
    expect(scrolled.last).toBe('data/sample-9999.csv')
    await rowNamed(page, 'sample-9999.csv').click()
    await page.keyboard.press('Home')
    await expect.poll(() => focused(page), soon).toBe('data')
    await page.keyboard.press('End')
    await expect.poll(() => focused(page), soon).toBe('data/sample-9999.csv')
    // The row with the focus stays where it is when somebody scrolls away from it.
    await files(page)
      .getByRole('tree')
      .evaluate((tree) => tree.parentElement?.scrollTo(0, 0))
    await rowNamed(page, 'sample-0.csv').waitFor()
    expect(await focused(page)).toBe('data/sample-9999.csv')
  },
)

/** How long the fastest of several jumps through the list takes until it is drawn, in milliseconds. */
const fastestJump = async (page: Page) =>
  await files(page)
    .getByRole('tree')
    .evaluate(async (tree) => {
      const scroller = tree.parentElement
      if (scroller === null) throw new Error('nothing to scroll')
      const times: number[] = []
      for (let step = 0; step < 80; step += 1) {
        const begun = performance.now()
        scroller.scrollTop = step % 2 === 0 ? scroller.scrollHeight / 2 : 0
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
        times.push(performance.now() - begun)
      }
      return Math.min(...times)
    })

deepTest(
  '[W-502] through ten thousand files a jump takes hardly longer than through three hundred',
  { timeout: 90_000 },
  async () => {
    const jumps: number[] = []
    for (const count of [300, 10_000]) {
      const workspace = await bench.make()
      await makeManyFiles(workspace, count)
      await using visit = await bench.open(workspace)
      await rowNamed(visit.page, 'data').press('ArrowRight')
      await rowNamed(visit.page, 'sample-0.csv').waitFor()
      jumps.push(await fastestJump(visit.page))
    }
    const [few = 0, many = 0] = jumps
    expect(many).toBeLessThan(few * 2 + 16)
  },
)

test('[W-508] a file, a folder and everything are downloaded with the session of the browser', async () => {
  const workspace = await bench.make({ 'src/main.c': 'int main;\n', 'src/größe & co.txt': 'ok' })
  await using visit = await bench.open(workspace)
  const { page } = visit
  const download = async (act: () => Promise<void>) => {
    const [saved] = await Promise.all([page.waitForEvent('download'), act()])
    return { name: saved.suggestedFilename(), bytes: await readFile(await saved.path()) }
  }
  const choose = (row: string, entry: string) => async () => {
    await rowNamed(page, row).click({ button: 'right' })
    await page.getByRole('menuitem', { name: entry, exact: true }).click()
  }
  await rowNamed(page, 'src').dblclick()
  const single = await download(choose('größe & co.txt', 'Download'))
  expect(single).toEqual({ name: 'größe & co.txt', bytes: Buffer.from('ok') })
  const folder = await download(choose('src', 'Download as ZIP'))
  expect(folder.bytes.subarray(0, 2).toString()).toBe('PK')
  expect(folder.bytes.includes('int main;')).toBe(true)
  const all = await download(choose('src', 'Download all files as ZIP'))
  expect([all.name, all.bytes.includes('src/main.c')]).toEqual(['lamp.zip', true])
})

test('[W-512] who may only look has no control that changes anything', async () => {
  const member = await makeAccount(bench.site, `looks-${randomBytes(3).toString('hex')}`)
  const workspace = await bench.make({ 'README.md': 'r', 'docs/a.md': 'a' }, [member])
  await using visit = await bench.open(workspace, { as: member })
  const { page } = visit
  await rowNamed(page, 'README.md').click({ button: 'right' })
  expect(await page.getByRole('menuitem').allInnerTexts()).not.toContain('Delete')
  await page.keyboard.press('Escape')
  expect(
    await files(page)
      .getByRole('button', { name: /^(?:New|Upload)/ })
      .count(),
  ).toBe(0)
  for (const key of ['F2', 'Delete']) await rowNamed(page, 'README.md').press(key)
  expect(await page.getByRole('dialog').or(page.getByRole('alertdialog')).count()).toBe(0)
  await rowNamed(page, 'README.md').dragTo(rowNamed(page, 'docs'))
  expect(await workspace.files()).toEqual(['README.md', 'docs/a.md'])
})

deepTest(
  '[W-513] nothing there yet, a failure and no connection are told, and it goes on by itself',
  async () => {
    const workspace = await bench.make()
    await using visit = await bench.visit({ expectedFaults: [/ERR_FAILED/] })
    const { page } = visit
    const line = await cuttable(page, /\/api\/workspaces\/socket$/)
    let isDown = true
    await page.route(/\/files\?/, (route) => (isDown ? route.abort() : route.continue()))
    await bench.openIn(visit, workspace)
    await files(page).getByText('The server cannot be reached').waitFor()
    isDown = false
    await files(page).getByRole('button', { name: 'Try again' }).click()
    await files(page).getByText('No files yet').waitFor()
    await line.cut()
    await files(page).getByText('This list may be out of date').waitFor()
    await workspace.write('meanwhile.txt', 'x')
    line.mend()
    await rowNamed(page, 'meanwhile.txt').waitFor()
    expect(await files(page).getByText('This list may be out of date').count()).toBe(0)
  },
)
