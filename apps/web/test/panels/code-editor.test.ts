import { readFile } from 'node:fs/promises'
import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { StoredText } from '../../src/workspace/panels/code-editor/stored-text.ts'
import { soon, usePanelBench } from './panel-bench.ts'

const panels = usePanelBench()
const content = (page: Page) => page.getByRole('textbox', { name: 'Bench' })
const textOf = async (page: Page) =>
  (await content(page).locator('.cm-line').allInnerTexts()).join('\n').trimEnd()

// That the policy was not violated is what closing a watched page asserts.
deepTest('[W-300] the editor is styled by sheets of its own root, in both themes', async () => {
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

test('[W-300] typing over colored text brings no inline style, and closes brackets around it', async () => {
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

deepTest('[W-301] text is stored once typing pauses', async () => {
  await using visit = await panels.show({ kind: 'code-editor' })
  const { page } = visit
  await content(page).click()
  // At once: a machine that stands still between two keys would store half of it.
  await page.keyboard.insertText('hello')
  await expect.poll(() => visit.stored(), soon).toEqual([{ text: 'hello' }])
  await page.keyboard.insertText(' you')
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
  await using visit = await panels.show({ kind: 'code-editor' }, { isAlone: true })
  const { page } = visit
  await content(page).click()
  // With the pause stopped nothing but leaving stores it.
  await page.clock.install()
  await page.keyboard.insertText('quick')
  await leave(page)
  await expect.poll(() => visit.stored(), soon).toEqual([{ text: 'quick' }])
})

test('[W-427] a tab that gets another name keeps what was written, its colors and what can be undone', async () => {
  await using visit = await panels.show({ kind: 'code-editor', state: { text: '', fileName: 'a.js' } })
  const { page } = visit
  await content(page).click()
  await page.keyboard.insertText('const lamp')
  await expect.poll(() => visit.stored(), soon).toEqual([{ text: 'const lamp' }])
  await page.evaluate(() => bench.rename('Other'))
  const renamed = page.getByRole('textbox', { name: 'Other' })
  await renamed.getByText('const', { exact: true }).waitFor()
  await renamed.press('Control+End')
  await page.keyboard.type(' = 1')
  await expect.poll(async () => (await visit.stored()).at(-1), soon).toEqual({ text: 'const lamp = 1' })
  // The first press may undo no more than the last words.
  for (let time = 0; time < 2; time += 1) await renamed.press('Control+z')
  await expect.poll(() => renamed.locator('.cm-line').allInnerTexts(), soon).toEqual(['\n'])
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

/** Somebody else was faster with the same text. */
async function showConflict(options?: Parameters<typeof panels.show>[1]) {
  const visit = await panels.show(
    { kind: 'code-editor', state: { text: 'base', fileName: 'a.py' }, isStoring: false },
    options,
  )
  const { page } = visit
  await content(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.insertText(' mine')
  await expect.poll(() => visit.stored(), soon).toHaveLength(1)
  await visit.patch({ text: 'theirs' })
  await conflict(page).waitFor()
  expect(await textOf(page)).toBe('base mine')
  return visit
}
const conflict = (page: Page) => page.getByText('Changed in another browser')
const texts = async (visit: { stored(): Promise<Record<string, unknown>[]> }) =>
  (await visit.stored()).flatMap(({ text }) => (text === undefined ? [] : [text]))

deepTest('[W-303] L2: what is unstored here stays, and theirs can be taken', async () => {
  await using visit = await showConflict()
  const { page } = visit
  await page.getByRole('button', { name: 'Take theirs' }).click()
  await expect.poll(() => textOf(page), soon).toBe('theirs')
  await conflict(page).waitFor({ state: 'detached' })
  await content(page).click()
  await page.keyboard.press('Control+z')
  await expect.poll(() => textOf(page), soon).toBe('base mine')
})

deepTest('[W-303] L2: or this text can be stored in its place', async () => {
  await using visit = await showConflict()
  const { page } = visit
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await expect.poll(() => texts(visit), soon).toEqual(['base mine', 'base mine'])
  await conflict(page).waitFor({ state: 'detached' })
})

deepTest('[W-303] L2: or both are kept, this one in a new tab', async () => {
  await using visit = await showConflict()
  const { page } = visit
  await page.getByRole('button', { name: 'Keep both' }).click()
  await expect.poll(() => textOf(page), soon).toBe('theirs')
  expect(await page.evaluate(() => bench.copies)).toEqual([{ text: 'base mine', fileName: 'a.py' }])
  expect(await texts(visit)).toEqual(['base mine'])
})

deepTest(
  '[W-420] L2: while there is a conflict nothing of the text is stored, whatever happens',
  async () => {
    await using visit = await showConflict({ isAlone: true })
    const { page } = visit
    await content(page).click()
    await page.keyboard.type('!')
    await page.getByLabel('File name').focus()
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    const asks = () =>
      page.evaluate(() => {
        const event = new Event('beforeunload', { cancelable: true })
        return !dispatchEvent(event)
      })
    expect(await asks()).toBe(true)
    await page.evaluate(() => bench.unmount())
    // Told to the other pages, and nothing else.
    expect(await visit.stored()).toEqual([{ text: 'base mine' }, { conflict: 'this-page' }])
    expect(await asks()).toBe(false)
  },
)

deepTest('[W-420] L2: a change of something else than the text is no conflict', async () => {
  await using visit = await panels.show({
    kind: 'code-editor',
    state: { text: 'base' },
    isStoring: false,
  })
  const { page } = visit
  await content(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' mine')
  await expect.poll(() => texts(visit), soon).toEqual(['base mine'])
  await visit.patch({ fileName: 'a.py' })
  await expect.poll(() => texts(visit), soon).toEqual(['base mine', 'base mine'])
  expect(await conflict(page).count()).toBe(0)
})

test('[W-421] L2: that another page has a conflict is said, and this text can be copied', async () => {
  await using visit = await panels.show({ kind: 'code-editor', state: { text: 'base' } })
  const { page } = visit
  const told = page.getByText('Another browser has a different version')
  await visit.patch({ conflict: 'another-page' })
  await told.waitFor()
  await page.getByRole('button', { name: 'Keep a copy' }).click()
  expect(await page.evaluate(() => bench.copies)).toEqual([{ text: 'base' }])
  await visit.patch({ conflict: null })
  await told.waitFor({ state: 'detached' })
  await visit.patch({ conflict: 'another-page' })
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await told.waitFor({ state: 'detached' })
  expect(await visit.stored()).toEqual([{ conflict: null }])
})

deepTest(
  '[W-421] L2: text that was written here and is replaced after that can be brought back',
  async () => {
    await using visit = await panels.show({ kind: 'code-editor' })
    const { page } = visit
    await content(page).click()
    await page.keyboard.type('mine')
    await expect.poll(() => page.evaluate(() => bench.state()), soon).toEqual({ text: 'mine' })
    await visit.patch({ conflict: 'another-page' })
    await visit.patch({ text: 'theirs', conflict: null })
    await page.getByText('Another browser replaced your text').waitFor()
    await expect.poll(() => textOf(page), soon).toBe('theirs')
    await page.getByRole('button', { name: 'Keep a copy' }).click()
    expect(await page.evaluate(() => bench.copies)).toEqual([{ text: 'mine' }])
  },
)

deepTest(
  '[W-428] text whose conflict is not decided when its tab is closed is offered in a new one',
  async () => {
    await using visit = await panels.show({ kind: 'code-editor', state: { text: 'base' }, isStoring: false })
    const { page } = visit
    await content(page).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.insertText(' mine')
    await expect.poll(() => texts(visit), soon).toEqual(['base mine'])
    await visit.patch({ text: 'theirs' })
    await conflict(page).waitFor()
    expect(await page.evaluate(() => bench.offered)).toEqual([])
    await page.evaluate(() => bench.unmount())
    await expect.poll(() => page.evaluate(() => bench.offered), soon).toEqual([{ text: 'base mine' }])
  },
)

test('[W-303] own text that comes back is no news, also after more was typed', () => {
  const book = new StoredText({ text: '', revision: 1 })
  expect(book.send('a')).toBe(1)
  expect(book.send('a')).toBeUndefined()
  expect(book.send('ab')).toBe(1)
  expect(book.arrive({ text: 'a', revision: 2 }, 'abc')).toBe('known')
  expect(book.answer('a', true, { text: 'a', revision: 2 }, 'abc')).toBe('known')
  expect(book.arrive({ text: 'ab', revision: 3 }, 'abc')).toBe('known')
  expect(book.answer('ab', true, { text: 'ab', revision: 3 }, 'abc')).toBe('known')
  expect(book.arrive({ text: 'theirs', revision: 4 }, 'abc')).toBe('conflict')
  expect(book.send('abc')).toBeUndefined()
  book.settle()
  expect(book.send('abc')).toBe(4)
  // Typed back to what is stored at the moment, while the newer text is still on its way.
  expect(book.send('theirs')).toBe(4)
  expect(book.answer('abc', true, { text: 'abc', revision: 5 }, 'theirs')).toBe('known')
  expect(book.answer('theirs', true, { text: 'theirs', revision: 6 }, 'theirs')).toBe('known')
  expect(book.arrive({ text: 'new', revision: 7 }, 'theirs')).toBe('replace')
  expect(book.replaced).toBe('theirs')
})

test('[W-420] L2: of a text that arrives before the answer to what was sent, the answer tells what it was made on', () => {
  const asked = () => {
    const book = new StoredText({ text: 'base', revision: 1 })
    expect(book.send('mine')).toBe(1)
    expect(book.arrive({ text: 'theirs', revision: 3 }, 'mine')).toBe('known')
    return book
  }
  expect(asked().answer('mine', true, { text: 'theirs', revision: 3 }, 'mine')).toBe('replace')
  expect(asked().answer('mine', true, { text: 'theirs', revision: 3 }, 'mine, and more')).toBe('conflict')
  expect(asked().answer('mine', false, { text: 'theirs', revision: 3 }, 'mine')).toBe('conflict')
})

deepTest('[W-304] the language is that of the file name until one is chosen', async () => {
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

test('[W-415] F13: each language is known by its file name, and indents as it wants', async () => {
  await using visit = await panels.show({ kind: 'code-editor', state: { text: '' } })
  const { page } = visit
  for (const { file, line, word, indented } of [
    { file: 'blink.c', line: 'if (on) {', word: 'if', indented: 2 },
    { file: 'blink.ino', line: 'while (true) {', word: 'while', indented: 2 },
    { file: 'main.rs', line: 'fn main() {', word: 'fn', indented: 4 },
    { file: 'lamp.py', line: 'def lamp():', word: 'def', indented: 4 },
    { file: 'counter.sv', line: 'always begin', word: 'always', indented: 2 },
    { file: 'counter.vhdl', line: 'entity counter is', word: 'entity', indented: 2 },
    { file: 'notes.md', line: '# Lamp', word: /Lamp/, indented: 0 },
    { file: 'board.yaml', line: 'lamp: on', word: 'lamp', indented: 0 },
    { file: 'Cargo.toml', line: 'lamp = true', word: 'true', indented: 0 },
    { file: 'lamp.svg', line: '<svg>', word: 'svg', indented: 2 },
  ]) {
    await page.getByLabel('File name').fill(file)
    await page.keyboard.press('Enter')
    await content(page).click()
    await page.keyboard.press('Control+A')
    await page.keyboard.type(line)
    const colored = content(page).locator('span').getByText(word, { exact: true }).first()
    await colored.waitFor()
    // A bracket that was opened is closed behind the cursor.
    await page.keyboard.press('Enter')
    await page.keyboard.type('x')
    expect([file, (await textOf(page)).split('\n')[1]]).toEqual([file, `${' '.repeat(indented)}x`])
  }
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
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')), soon)
    .toBe('Download')
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
