import { readFile } from 'node:fs/promises'
import type { Page } from '@patchbay/testkit/chromium'
import { expect, test } from 'vitest'
import { StoredText } from '../../src/workspace/panels/code-editor/stored-text.ts'
import { soon, usePanelBench } from './panel-bench.ts'

const panels = usePanelBench()
const content = (page: Page) => page.getByRole('textbox', { name: 'Bench' })
const textOf = async (page: Page) =>
  (await content(page).locator('.cm-line').allInnerTexts()).join('\n').trimEnd()

// That the policy was not violated is what closing a watched page asserts.
test('[W-300] the editor is styled by sheets of its own root, in both themes', async () => {
  await using visit = await panels.show(
    { kind: 'code-editor', state: { text: 'const lamp = 1', fileName: 'a.js' } },
    { colorScheme: 'dark' },
  )
  const { page } = visit
  expect(await page.locator('style').count()).toBe(0)
  const keyword = content(page).getByText('const', { exact: true })
  await keyword.waitFor()
  const look = () => keyword.evaluate((element) => getComputedStyle(element).color)
  const dark = await look()
  const ground = () =>
    content(page).evaluate(
      (element) => getComputedStyle(element.closest('.cm-editor') ?? element).backgroundColor,
    )
  const darkGround = await ground()
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(look, soon).not.toBe(dark)
  expect(await ground()).not.toBe(darkGround)
  await content(page).click()
  await page.keyboard.press('Control+f')
  await page.getByPlaceholder('Find').waitFor()
})

test('[W-300] typing over coloured text brings no inline style, and closes brackets around it', async () => {
  await using visit = await panels.show({
    kind: 'code-editor',
    state: { text: 'const lamp = "on"', fileName: 'a.js' },
  })
  const { page } = visit
  await content(page).getByText('const', { exact: true }).click()
  await page.keyboard.press('Control+a')
  for (const [key, text] of [
    ['(', '(const lamp = "on")'],
    ['x', '(x)'],
  ] as const) {
    await page.keyboard.type(key)
    await expect.poll(() => textOf(page), soon).toBe(text)
  }
  expect(await content(page).locator('[style]').count()).toBe(0)
})

test('[W-301] text is stored once typing pauses', async () => {
  await using visit = await panels.show({ kind: 'code-editor' })
  const { page } = visit
  await content(page).click()
  await page.keyboard.type('hello')
  await expect.poll(() => visit.stored(), soon).toEqual([{ text: 'hello' }])
  await page.keyboard.type(' you')
  await expect.poll(() => visit.stored(), soon).toHaveLength(2)
  expect((await visit.stored())[1]).toEqual({ text: 'hello you' })
})

test.each([
  ['the editor is left', (page: Page) => page.getByLabel('File name').focus()],
  ['the panel is closed', (page: Page) => page.evaluate(() => bench.unmount())],
  [
    'the page is hidden',
    (page: Page) =>
      page.evaluate(() => {
        Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
        document.dispatchEvent(new Event('visibilitychange'))
      }),
  ],
])('[W-301] text is stored at once when %s', async (_, leave) => {
  await using visit = await panels.show({ kind: 'code-editor' })
  const { page } = visit
  await content(page).click()
  // With the pause stopped nothing but leaving stores it.
  await page.clock.install()
  await page.keyboard.insertText('quick')
  await leave(page)
  await expect.poll(() => visit.stored(), soon).toEqual([{ text: 'quick' }])
})

test('[W-302] what somebody else stores appears, and the cursor stays where it was', async () => {
  await using visit = await panels.show({ kind: 'code-editor', state: { text: 'one\ntwo\nthree' } })
  const { page } = visit
  await content(page).click()
  await page.keyboard.press('Control+End')
  await visit.patch({ text: 'zero\r\none\r\ntwo\r\nthree' })
  await expect.poll(() => textOf(page), soon).toBe('zero\none\ntwo\nthree')
  expect(await visit.stored()).toEqual([])
  await page.keyboard.type('!')
  await expect.poll(() => textOf(page), soon).toBe('zero\none\ntwo\nthree!')
  await expect.poll(() => visit.stored(), soon).toEqual([{ text: 'zero\none\ntwo\nthree!' }])
})

test('[W-303] what is unstored here stays, and theirs can be taken', async () => {
  await using visit = await panels.show({ kind: 'code-editor', state: { text: 'base' }, isStoring: false })
  const { page } = visit
  await content(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' mine')
  await visit.patch({ text: 'theirs' })
  await page.getByText('Somebody else has changed this text').waitFor()
  expect(await textOf(page)).toBe('base mine')
  await page.getByRole('button', { name: 'Take theirs' }).click()
  await expect.poll(() => textOf(page), soon).toBe('theirs')
  await page.getByText('Somebody else has changed this text').waitFor({ state: 'detached' })
  await expect.poll(async () => (await visit.stored()).at(-1), soon).toEqual({ text: 'theirs' })
})

test('[W-303] own text that comes back is no news, also after more was typed', () => {
  const book = new StoredText('')
  expect(book.send('a')).toBe(true)
  expect(book.send('a')).toBe(false)
  expect(book.send('ab')).toBe(true)
  expect(book.arrive('a', 'abc')).toBe('known')
  expect(book.arrive('ab', 'abc')).toBe('known')
  expect(book.arrive('theirs', 'abc')).toBe('conflict')
  expect(book.send('abc')).toBe(true)
  // Typed back to what is stored at the moment, while the newer text is still on its way.
  expect(book.send('theirs')).toBe(true)
  expect(book.arrive('abc', 'theirs')).toBe('known')
  expect(book.arrive('theirs', 'theirs')).toBe('known')
  expect(book.arrive('new', 'theirs')).toBe('replace')
})

test('[W-304] the language is that of the file name until one is chosen', async () => {
  await using visit = await panels.show({ kind: 'code-editor', state: { text: 'def lamp(): pass' } })
  const { page } = visit
  const keyword = content(page).locator('span').getByText('def', { exact: true })
  expect(await keyword.count()).toBe(0)
  await page.getByLabel('File name').fill('lamp.py')
  await page.keyboard.press('Enter')
  await keyword.waitFor()
  await page.getByRole('button', { name: /Language/ }).click()
  await page.getByRole('option', { name: 'JSON', exact: true }).click()
  await keyword.waitFor({ state: 'detached' })
  expect(await visit.stored()).toEqual([{ fileName: 'lamp.py' }, { language: 'json' }])
})

test('[W-304] a file is opened, and the text downloaded under its name', async () => {
  await using visit = await panels.show({ kind: 'code-editor', state: { text: 'old' } })
  const { page } = visit
  const buffer = Buffer.from('{"lamp":\r\n "größe"}')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'lamp.json', mimeType: 'application/json', buffer })
  await expect.poll(() => textOf(page), soon).toBe('{"lamp":\n "größe"}')
  await expect
    .poll(() => page.evaluate(() => bench.state()), soon)
    .toEqual({
      text: '{"lamp":\n "größe"}',
      fileName: 'lamp.json',
    })
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const download = await coming
  expect(download.suggestedFilename()).toBe('lamp.json')
  expect(await readFile(await download.path(), 'utf8')).toBe('{"lamp":\n "größe"}')
})

test('[W-305] Tab indents, and Escape then Tab leaves', async () => {
  await using visit = await panels.show({ kind: 'code-editor', state: { text: 'x' } })
  const { page } = visit
  await page.getByText('Esc, then Tab leaves the editor').waitFor()
  await content(page).click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Tab')
  await expect.poll(() => textOf(page), soon).toBe('  x')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Shift+Tab')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Download')
})

test('[W-306] what cannot be stored or opened is told', async () => {
  await using visit = await panels.show({ kind: 'code-editor', state: { text: 'kept' } })
  const { page } = visit
  const open = (name: string, buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer })
  await open('large.txt', Buffer.alloc(262_145, 'x'))
  await page.getByText('large.txt is too large').waitFor()
  await open('picture.bin', Buffer.from([0xff, 0xfe, 0x00, 0x80]))
  await page.getByText('picture.bin is not a text file').waitFor()
  expect(await textOf(page)).toBe('kept')
  expect(await visit.stored()).toEqual([])
  // As many letters as fit, but more bytes than one message carries.
  await open('letters.txt', Buffer.from('漢'.repeat(262_144)))
  await page.getByText('This text is too long to be stored').waitFor()
  expect((await visit.stored()).some((patch) => 'text' in patch)).toBe(false)
})
