import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { png } from '../viewer-pages/pictures.ts'
import { files, rowNamed, shownNames, soon, useFiles } from './files.ts'

const bench = useFiles()
const details = (page: Page, name: string) => files(page).getByRole('region', { name, exact: true })
const linesOf = (page: Page, kind: string) => files(page).locator(kind).allInnerTexts()

test('[W-509] text is shown with its colors, a picture as a picture, anything else as what it is', async () => {
  const workspace = await bench.make({
    'main.c': '#include <stdio.h>\nint main(void) { return 0; }\n',
    'page.html': '<script>globalThis.hasRun = true</script><img src=x onerror="globalThis.hasRun = true">',
    'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" onload="globalThis.hasRun = true"/>',
    'empty.txt': '',
  })
  await workspace.write('board.png', new Uint8Array(await png(40, 30)))
  await workspace.write(
    'lies.png',
    '<svg xmlns="http://www.w3.org/2000/svg" onload="globalThis.hasRun = true"/>',
  )
  await workspace.write('firmware.bin', new Uint8Array([0, 1, 2, 255]))
  await using visit = await bench.open(workspace)
  const { page } = visit
  await rowNamed(page, 'main.c').dblclick()
  await expect.poll(() => linesOf(page, '.cm-line'), soon).toContain('int main(void) { return 0; }')
  await expect.poll(() => files(page).locator('.cm-line span').count(), soon).toBeGreaterThan(2)
  await rowNamed(page, 'board.png').press('Enter')
  const picture = details(page, 'board.png').getByRole('img', { name: 'board.png' })
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth), soon).toBe(40)
  expect(await picture.getAttribute('src')).toMatch(/^blob:/)
  await rowNamed(page, 'page.html').press('Enter')
  await expect.poll(() => linesOf(page, '.cm-line'), soon).toEqual([expect.stringContaining('<script>')])
  await rowNamed(page, 'logo.svg').press('Enter')
  await expect.poll(() => linesOf(page, '.cm-line'), soon).toEqual([expect.stringContaining('<svg')])
  for (const name of ['lies.png', 'firmware.bin']) {
    await rowNamed(page, name).press('Enter')
    await details(page, name).getByText('No preview for this file').waitFor()
    await details(page, name).getByRole('link', { name: 'Download' }).waitFor()
  }
  await rowNamed(page, 'empty.txt').press('Enter')
  await details(page, 'empty.txt').getByText('This file is empty').waitFor()
  expect(await page.evaluate(() => 'hasRun' in globalThis)).toBe(false)
  // Where it was opened from the keyboard goes on.
  await details(page, 'empty.txt').getByRole('button', { name: 'Close' }).click()
  await rowNamed(page, 'empty.txt').and(page.locator(':focus')).waitFor()
})

test('[W-510] versions are compared and restored, unless somebody was faster', async () => {
  const workspace = await bench.make({ 'main.c': 'one\ntwo\nthree\n' })
  await workspace.write('main.c', 'one\n2\nthree\n')
  await workspace.write('main.c', 'one\n2\nthree\nfour\n')
  await using visit = await bench.open(workspace, { expectedFaults: [/status of 412/, /ERR_FAILED/] })
  const { page } = visit
  await rowNamed(page, 'main.c').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'History', exact: true }).click()
  const versions = details(page, 'main.c').getByRole('list', { name: 'Versions' }).getByRole('button')
  await expect.poll(() => versions.count(), soon).toBe(3)
  // The latest with the one before it.
  await expect.poll(() => linesOf(page, '.cm-changedLine'), soon).toEqual(['four'])
  await versions.nth(1).click()
  await expect.poll(() => linesOf(page, '.cm-deletedLine'), soon).toEqual(['two'])
  await expect.poll(() => linesOf(page, '.cm-changedLine'), soon).toEqual(['2'])
  await details(page, 'main.c')
    .getByRole('button', { name: /Compare with/ })
    .click()
  await page.getByRole('option', { name: /^Version 3/ }).click()
  await expect.poll(() => linesOf(page, '.cm-deletedLine'), soon).toEqual(['four'])
  await versions.nth(2).click()
  await page.getByRole('button', { name: 'Restore this version' }).click()
  await expect.poll(() => workspace.read('main.c'), soon).toBe('one\ntwo\nthree\n')
  await expect.poll(() => versions.count(), soon).toBe(4)

  await versions.nth(1).click()
  // The page does not hear of it in time.
  await page.route(/\/files\/(?:changed-paths|changes\?)/, (route) => route.abort())
  await workspace.write('main.c', 'theirs\n')
  await page.getByRole('button', { name: 'Restore this version' }).click()
  await files(page).getByText('Changed meanwhile').waitFor()
  expect(await workspace.read('main.c')).toBe('theirs\n')
  await page.unrouteAll()
  await files(page).getByRole('button', { name: 'Overwrite' }).click()
  await expect.poll(() => workspace.read('main.c'), soon).toBe('one\n2\nthree\nfour\n')
})

test('[W-511] the history of all leads to a file that was deleted, and back to a state of all', async () => {
  const workspace = await bench.make({ 'a.txt': 'a', 'b/c.txt': 'c' })
  await workspace.callAsOwner('POST', ':workspace/files/changes', {
    operations: [
      { op: 'delete', path: 'a.txt' },
      { op: 'move', path: 'b/c.txt', to: 'd/c.txt' },
    ],
    reason: 'Tidied up for the new board',
  })
  await using visit = await bench.open(workspace)
  const { page } = visit
  await rowNamed(page, 'd').waitFor()
  await files(page).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'History of all files' }).click()
  const changes = details(page, 'History of all files').getByRole('list', { name: 'Changes' })
  await changes.getByRole('button', { name: /Tidied up for the new board/ }).click()
  await changes.getByRole('button', { name: 'Moved b/c.txt to d/c.txt' }).waitFor()
  await changes.getByRole('button', { name: 'Deleted a.txt' }).click()
  const versions = details(page, 'a.txt').getByRole('list', { name: 'Versions' }).getByRole('button')
  await versions.nth(1).click()
  await page.getByRole('button', { name: 'Restore this version' }).click()
  await expect.poll(() => workspace.files(), soon).toEqual(['a.txt', 'd/c.txt'])

  await files(page).getByRole('button', { name: 'Actions for a.txt' }).click()
  await page.getByRole('menuitem', { name: 'History of all files' }).click()
  await changes.locator('> li').nth(2).getByRole('button').first().click()
  await changes.getByRole('button', { name: 'Restore all files to this version' }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: 'Restore all files to this version' })
    .click()
  await expect.poll(() => workspace.files(), soon).toEqual(['a.txt', 'b/c.txt'])
  await expect.poll(() => shownNames(page), soon).toEqual(['b', 'a.txt'])
})

deepTest('[W-510] a file that is no text, or too long, has its versions without a difference', async () => {
  const workspace = await bench.make({ 'a.bin': '\0\u0001', 'long.txt': 'x\n'.repeat(200_000) })
  await workspace.write('a.bin', '\0\u0002')
  await using visit = await bench.open(workspace)
  const { page } = visit
  for (const name of ['a.bin', 'long.txt']) {
    await rowNamed(page, name).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'History', exact: true }).click()
    await details(page, name).getByText('Only text files of up to 256 KiB').waitFor()
  }
})
