import { join } from 'node:path'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import sharp from 'sharp'
import { expect } from 'vitest'
import { allSaved, onUpload, onUploadAnswer, ownPictures, pathOf, shows, useViewers } from './bench.ts'
import { choose, copy, dragOver, dragPaths, paste, pressPaste } from './hands.ts'
import { png } from './pictures.ts'

const bench = useViewers()

test('[W-390] the keys paste a picture wherever the focus is, and every pixel of it arrives', async () => {
  await using visit = await bench.visit()
  const { page, viewer } = visit
  const picture = await png(120, 80)
  await copy(page, { png: picture })
  await pressPaste(page)
  const path = await pathOf(ownPictures(page).first())
  const file = join(viewer.folder, path.replace('screenshots/sp/', '').replace('.png', '-original.png'))
  const pixels = async (from: string | Buffer) => await sharp(from).removeAlpha().raw().toBuffer()
  expect((await pixels(file)).equals(await pixels(picture))).toBe(true)
  for (const name of ['Choose files', 'Paste']) {
    await page.getByRole('button', { name, exact: true }).focus()
    await pressPaste(page)
  }
  await page
    .getByRole('button', { name: /^Delete/ })
    .first()
    .focus()
  await pressPaste(page)
  await allSaved(page, 4)
  expect(await viewer.files()).toHaveLength(8)
})

deepTest(
  '[W-390] text that is pasted into a field stays text; a picture is taken there as well',
  async () => {
    await using visit = await bench.visit()
    const { page } = visit
    await paste(page, await png(120, 80))
    await page.getByRole('button', { name: /^Rename/ }).click()
    await copy(page, { text: 'from the clipboard' })
    await pressPaste(page)
    const field = page.getByRole('textbox')
    expect(await field.inputValue()).toBe('from the clipboard')
    expect(await ownPictures(page).count()).toBe(1)
    await paste(page, await png(60, 40))
    await ownPictures(page).nth(1).waitFor()
    expect(await field.inputValue()).toBe('from the clipboard')
  },
)

deepTest('[W-391] the button pastes what the clipboard holds', async () => {
  await using visit = await bench.visit()
  const { page, viewer } = visit
  await copy(page, { png: await png(120, 80) })
  await page.getByRole('button', { name: 'Paste', exact: true }).click()
  await pathOf(ownPictures(page).first())
  expect(await viewer.files()).toHaveLength(2)
  await copy(page, { text: 'words' })
  await page.getByRole('button', { name: 'Paste', exact: true }).click()
  await page.getByText('The clipboard holds text, not a picture').waitFor()
})

deepTest('[W-391] where the browser refuses, the page says what to press; those keys work', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await copy(page, { png: await png(120, 80) })
  await page.context().clearPermissions()
  const devtools = await page.context().newCDPSession(page)
  const permission = { name: 'clipboard-read' }
  await devtools.send('Browser.setPermission', { permission, setting: 'denied' })
  await page.getByRole('button', { name: 'Paste', exact: true }).click()
  await page.getByRole('status').filter({ hasText: 'Press Ctrl+V instead' }).waitFor()
  await pressPaste(page)
  await pathOf(ownPictures(page).first())
  expect(await page.getByText('Press Ctrl+V instead').count()).toBe(0)
})

deepTest('[W-391] so it does where there is no such thing at all', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await page.getByRole('button', { name: 'Paste', exact: true }).click()
  expect(await shows(page.getByText('Press Ctrl+V instead'))).toBe(true)
})

test('[W-392] while files hang over the page all of it is the target; away from it nothing happens', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  const cover = page.getByText('Drop images to save them')
  const file = { name: 'shot.png', bytes: await png(120, 80) }
  {
    await using dragged = await dragOver(page, [file])
    await cover.waitFor()
    const box = await page.locator('[data-drop-cover]').boundingBox()
    expect(box).toEqual({ x: 0, y: 0, width: 1280, height: 900 })
    await dragged.leave()
    await cover.waitFor({ state: 'detached' })
    expect(await ownPictures(page).count()).toBe(0)
  }
  await using dragged = await dragOver(page, [file, { ...file, name: 'other.png' }], { x: 5, y: 890 })
  await dragged.drop()
  await cover.waitFor({ state: 'detached' })
  await allSaved(page, 2)
})

deepTest('[W-392] a folder, and what is no file, are refused with words', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  const dragged = await dragPaths(page, [import.meta.dirname])
  await dragged.drop()
  await page.getByText('A folder cannot be dropped here').waitFor()
  expect(await ownPictures(page).count()).toBe(0)
  await page.evaluate(() => {
    const dropped = new DataTransfer()
    dropped.setData('text/uri-list', 'https://example.com/lamp.png')
    document.body.dispatchEvent(
      new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: dropped }),
    )
  })
  await page.getByText('That is not a file').waitFor()
  await page.getByText('It is an address').waitFor()
  expect(page.url()).toContain('/screenshot-paste')
})

test('[W-393] several files are chosen at once, and the same ones again', async () => {
  await using visit = await bench.visit()
  const { page, viewer } = visit
  const files = [
    { name: 'one.png', bytes: await png(30, 20) },
    { name: 'two.png', bytes: await png(20, 30) },
  ]
  await choose(page, files)
  await allSaved(page, 2)
  await choose(page, files)
  await allSaved(page, 4)
  expect(await viewer.files()).toHaveLength(8)
  const picker = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose files' }).click()
  expect((await picker).isMultiple()).toBe(true)
})

test('[W-394] a clipboard without a picture is told, until one comes', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await copy(page, { text: 'words' })
  await pressPaste(page)
  const notice = page.getByRole('status').filter({ hasText: 'The clipboard holds text, not a picture' })
  expect(await shows(notice.getByText('Take a screenshot, then press Ctrl+V.'))).toBe(true)
  await paste(page, await png(30, 20))
  await notice.waitFor({ state: 'detached' })
})

test('[W-397] at most four are sent at once, whoever came first before the others', async () => {
  await using visit = await bench.visit()
  const { page, viewer } = visit
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<'pass'>()
  let atOnce = 0
  let most = 0
  page.on('request', (request) => {
    if (request.method() === 'POST') most = Math.max(most, (atOnce += 1))
  })
  page.on('requestfinished', (request) => {
    if (request.method() === 'POST') atOnce -= 1
  })
  await onUploadAnswer(page, async () => await mayGoOn)
  const bytes = await png(3, 2)
  await choose(
    page,
    Array.from({ length: 10 }, (_, index) => ({ name: `shot-${index}.png`, bytes })),
  )
  const steps = () =>
    ownPictures(page)
      .getByText(/^(?:Saving|Waiting)$/)
      .allInnerTexts()
  await expect.poll(steps).toEqual([...Array<string>(6).fill('Waiting'), ...Array<string>(4).fill('Saving')])
  await ownPictures(page).first().getByRole('button', { name: 'Cancel: shot-9.png' }).click()
  goOn('pass')
  await allSaved(page, 9)
  expect(most).toBe(4)
  expect(await viewer.files()).toHaveLength(18)
})

deepTest('[W-397] at most a hundred are in the line', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await onUpload(page, async () => await new Promise<never>(() => undefined))
  // Nothing that could be drawn: a hundred previews take seconds.
  const bytes = Buffer.from('text')
  await choose(
    page,
    Array.from({ length: 103 }, (_, index) => ({ name: `shot-${index}.png`, bytes })),
  )
  await page.getByText('3 of the pictures found no room').waitFor()
  expect(await ownPictures(page).count()).toBe(100)
})
