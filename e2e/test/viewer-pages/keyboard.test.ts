import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { allSaved, ownPictures, useViewers } from './bench.ts'
import { choose, paste } from './hands.ts'
import { startLocalModel } from './model.ts'
import { png } from './pictures.ts'

const bench = useViewers()

/** What has the focus, by what a screen reader calls it. */
const focused = async (page: Page) =>
  await page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return 'nothing'
    return element.getAttribute('aria-label') ?? element.textContent.trim()
  })

/** Goes on with the tab key until what has the focus is called so. */
async function tabTo(page: Page, name: RegExp, key = 'Tab'): Promise<void> {
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press(key)
    if (name.test(await focused(page))) return
  }
  throw new Error(`no ${name.source} in reach of the tab key`)
}

/** What has the focus, once it is called so. */
async function nextFocused(page: Page, name: RegExp): Promise<string> {
  await waitUntil(`the focus is on ${name.source}`, async () => name.test(await focused(page)))
  return await focused(page)
}

/** Follows what is spoken, from now on. */
async function listen(page: Page): Promise<() => Promise<string>> {
  await page.evaluate(() => {
    const place = document.querySelector('[data-spoken]')
    const heard: string[] = []
    Object.assign(globalThis, { heard })
    if (place !== null)
      new MutationObserver(() => heard.push(place.textContent)).observe(place, {
        subtree: true,
        childList: true,
      })
  })
  return async () => await page.evaluate(() => (Reflect.get(globalThis, 'heard') as string[]).join(' | '))
}

test('[W-410] the keyboard alone is enough: paste, copy, rename, undo, delete and back', async () => {
  await using visit = await bench.visit()
  const { page, viewer } = visit
  await paste(page, await png(30, 20))
  await allSaved(page, 1)
  await tabTo(page, /^Viewer page$/)
  await tabTo(page, /^Theme/)
  await tabTo(page, /^Paste$/)
  await tabTo(page, /^Choose files$/)
  await tabTo(page, /^Copy path/)
  await page.keyboard.press('Enter')
  await ownPictures(page).getByText('Copied').waitFor()
  await tabTo(page, /^Rename/)
  await page.keyboard.press('Enter')
  await page.getByRole('textbox').waitFor()
  await page.keyboard.type('Ripple at 5 V')
  await page.keyboard.press('Enter')
  await nextFocused(page, /^Rename: ripple-at-5-v$/)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await nextFocused(page, /^Rename: ripple-at-5-v$/)
  await tabTo(page, /^Undo: give ripple-at-5-v/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^sp-/ }).waitFor()
  await waitUntil('the focus is somewhere', async () => (await focused(page)) !== 'nothing')
  await page.getByRole('button', { name: /^Delete/ }).focus()
  await page.keyboard.press('Enter')
  await nextFocused(page, /^Undo: bring back/)
  expect(await viewer.files()).toEqual([])
  await page.keyboard.press('Enter')
  await nextFocused(page, /^sp-/)
  expect(await viewer.files()).toHaveLength(2)
})

deepTest('[W-405][W-410] after deleting and dismissing the focus is on the next picture', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await choose(page, [
    { name: 'one.png', bytes: await png(30, 20) },
    { name: 'two.png', bytes: await png(30, 20) },
    { name: 'three.png', bytes: await png(30, 20) },
  ])
  await allSaved(page, 3)
  const names = await ownPictures(page).getByRole('heading').allInnerTexts()
  const deleteButton = (place: number) =>
    ownPictures(page)
      .nth(place)
      .getByRole('button', { name: /^Delete/ })
  await deleteButton(1).focus()
  await page.keyboard.press('Enter')
  expect(await nextFocused(page, /^sp-/)).toBe(names[2])
  await deleteButton(2).focus()
  await page.keyboard.press('Enter')
  expect(await nextFocused(page, /^sp-/)).toBe(names[0])
  await choose(page, [{ name: 'empty.png', bytes: Buffer.alloc(0) }])
  await page.getByRole('button', { name: 'Dismiss: empty.png' }).focus()
  await page.keyboard.press('Enter')
  expect(await nextFocused(page, /^sp-/)).toBe(names[0])
})

test('[W-411] what was saved, named, refused and deleted is spoken', async () => {
  await using model = await startLocalModel()
  await using visit = await bench.visit({ environment: model.environment, expectedFaults: [/422/] })
  const { page } = visit
  const heard = await listen(page)
  const hears = async (words: RegExp) => {
    await waitUntil(`it says ${words.source}`, async () => words.test(await heard()))
    return true
  }
  await paste(page, await png(30, 20))
  await hears(/Saved: screenshots\/sp\/sp-[\d-]+x20\.png\./)
  model.answerAll('blue dot')
  await hears(/Named: blue-dot\./)
  await choose(page, [{ name: 'notes.txt', bytes: Buffer.from('text') }])
  await hears(/notes\.txt: The image was rejected\. .{10,}/)
  await page.getByRole('button', { name: /^Delete: blue-dot/ }).click()
  await hears(/Deleted: blue-dot\./)
  await page.getByRole('button', { name: /^Undo: bring back blue-dot/ }).click()
  expect(await hears(/Restored: blue-dot\./)).toBe(true)
})
