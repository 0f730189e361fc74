import { deletePaste, listPastes, patchPaste } from '@patchbay/contracts/viewer'
import { openPage } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import {
  allSaved,
  earlierPictures,
  onUploadAnswer,
  ownPictures,
  pathOf,
  shows,
  useViewers,
  WIDE,
} from './bench.ts'
import { choose, paste } from './hands.ts'
import { startLocalModel } from './model.ts'
import { png } from './pictures.ts'

const bench = useViewers()

test('[W-400] a picture shows at once, then how far it is, then what it became', async () => {
  await using visit = await bench.visit({ expectedFaults: [/ERR_FILE_NOT_FOUND/] })
  const { page } = visit
  // A slow line, and a late answer: otherwise nobody could see how much was sent, nor that it is being saved.
  const devtools = await page.context().newCDPSession(page)
  const setSpeed = (uploadThroughput: number) =>
    devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  await devtools.send('Network.enable')
  await setSpeed(100_000)
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<'pass'>()
  await onUploadAnswer(page, async () => await mayGoOn)
  const noise = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 251))
  await choose(page, [{ name: 'shot.png', bytes: Buffer.concat([await png(400, 300), noise]) }])
  const picture = ownPictures(page).first()
  const thumbnail = picture.locator('img')
  await picture.getByRole('progressbar', { name: 'Sending' }).waitFor()
  const preview = (await thumbnail.getAttribute('src')) ?? ''
  expect(preview).toMatch(/^blob:/)
  await expect.poll(() => thumbnail.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(400)
  await setSpeed(-1)
  await picture.getByRole('progressbar', { name: 'Saving' }).waitFor()
  goOn('pass')
  await picture.getByText('400 × 300').first().waitFor()
  // From then on it is drawn from what was saved, and what was held for it is let go.
  await waitUntil(
    'the saved picture is drawn',
    async () => (await thumbnail.getAttribute('src'))?.startsWith('/pastes/') === true,
  )
  const isHeld = await page.evaluate(async (address) => {
    const image = new Image()
    image.src = address
    return await image.decode().then(
      () => true,
      () => false,
    )
  }, preview)
  expect(isHeld).toBe(false)
})

deepTest('[W-401] the path is copied', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await paste(page, await png(30, 20))
  const picture = ownPictures(page).first()
  const path = await pathOf(picture)
  await picture.getByRole('button', { name: /^Copy path/ }).click()
  await picture.getByText('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(path)
})

deepTest('[W-401] where nothing helps the path is selected, and the page says what to press', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await paste(page, await png(30, 20))
  const picture = ownPictures(page).first()
  const path = await pathOf(picture)
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
    document.execCommand = () => false
  })
  await picture.getByRole('button', { name: /^Copy path/ }).click()
  await picture.getByText('The path is selected: press Ctrl+C.').waitFor()
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(path)
})

test('[W-402] the name comes by itself, and both files have it; that no better one was found is told with the reason', async () => {
  await using model = await startLocalModel()
  const environment = { ...model.environment, PATCHBAY_VIEWER_MODEL_FALLBACK: 'off' }
  await using visit = await bench.visit({ environment })
  const { page, viewer } = visit
  await paste(page, await png(900, 600))
  const picture = ownPictures(page).first()
  await picture.getByText('Looking for a name…').waitFor()
  expect(await pathOf(picture)).toMatch(/^screenshots\/sp\/sp-\d{8}-\d{6}-\d{3}-900x600\.png$/)
  model.answer('Orange half, blue dot')
  await picture.getByRole('heading', { name: 'orange-half-blue-dot' }).waitFor()
  expect(await pathOf(picture)).toBe('screenshots/sp/orange-half-blue-dot-900x600.png')
  expect(await viewer.files()).toEqual([
    'orange-half-blue-dot-900x600-original.png',
    'orange-half-blue-dot-900x600.png',
  ])
  expect(await picture.getByText('Looking for a name…').count()).toBe(0)
  await waitUntil(
    'the picture is drawn under its new name',
    async () => (await picture.locator('img').getAttribute('src'))?.includes('orange-half') === true,
  )
  await paste(page, await png(30, 20))
  await waitUntil(
    'the picture is drawn',
    async () =>
      await ownPictures(page)
        .first()
        .locator('img')
        .evaluateAll((images) =>
          images.some((image) => (image as HTMLImageElement).src.includes('/pastes/sp-')),
        ),
  )
  model.answer('🙂')
  const told = ownPictures(page)
    .first()
    .getByText(/^No better name was found\. .{10,}/)
  expect(await shows(told)).toBe(true)
})

deepTest('[W-402] that none was looked for is told', async () => {
  await using visit = await bench.visit()
  await paste(visit.page, await png(30, 20))
  expect(await shows(ownPictures(visit.page).first().getByText('Named by its time.'))).toBe(true)
})

test('[W-403][W-404] renamed in its place, and back again', async () => {
  await using visit = await bench.visit()
  const { page, viewer } = visit
  await paste(page, await png(900, 600))
  const picture = ownPictures(page).first()
  const before = await pathOf(picture)
  await picture.getByRole('button', { name: /^Rename/ }).click()
  const field = picture.getByRole('textbox', { name: /^New name of/ })
  await field.fill('Netzteil: Welligkeit bei 5 V')
  await picture.getByText('Will be called netzteil-welligkeit-bei-5-v').waitFor()
  await field.press('Enter')
  await picture.getByRole('heading', { name: 'netzteil-welligkeit-bei-5-v' }).waitFor()
  expect(await viewer.files()).toContain('netzteil-welligkeit-bei-5-v-900x600-original.png')
  await picture.getByRole('button', { name: /^Undo/ }).click()
  await waitUntil('the name before is back', async () => (await pathOf(picture)) === before)
  expect(await viewer.files()).toContain(before.replace('screenshots/sp/', ''))
  expect(await viewer.files()).toHaveLength(2)
})

deepTest('[W-403] nothing that could be kept is told; Escape leaves everything as it was', async () => {
  await using visit = await bench.visit()
  const { page, viewer } = visit
  await paste(page, await png(30, 20))
  const picture = ownPictures(page).first()
  await pathOf(picture)
  const files = await viewer.files()
  await picture.getByRole('button', { name: /^Rename/ }).click()
  const field = picture.getByRole('textbox')
  await field.fill('電源')
  await picture.getByText('A name needs a letter from a to z, or a digit.').waitFor()
  await field.press('Enter')
  expect(await picture.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await field.press('Escape')
  await field.waitFor({ state: 'detached' })
  expect(await viewer.files()).toEqual(files)
})

deepTest('[W-405] deleted, it leaves a line that brings it back', async () => {
  await using visit = await bench.visit()
  const { page, viewer } = visit
  await choose(page, [
    { name: 'one.png', bytes: await png(30, 20) },
    { name: 'two.png', bytes: await png(20, 30) },
  ])
  const first = ownPictures(page).first()
  await allSaved(page, 2)
  const path = await pathOf(first)
  const files = await viewer.files()
  await first.getByRole('button', { name: /^Delete/ }).click()
  await first.getByText(/^Deleted:/).waitFor()
  await waitUntil('both files are gone', async () => (await viewer.files()).length === 2)
  await first.getByRole('button', { name: /^Undo/ }).click()
  expect(await pathOf(first)).toBe(path)
  expect(await viewer.files()).toEqual(files)
})

test('[W-406] why a change was refused is told at the picture', async () => {
  await using visit = await bench.visit({ expectedFaults: [/404/] })
  const { page, viewer, open } = visit
  // Somebody else is faster by a moment: the page does not hear of it in time.
  await page.routeWebSocket(/\/api\/viewer\/socket$/, (line) => {
    const server = line.connectToServer()
    server.onMessage((message) => {
      if (!String(message).includes('"deleted"')) line.send(message)
    })
  })
  await open('/screenshot-paste')
  await paste(page, await png(30, 20))
  const picture = ownPictures(page).first()
  await pathOf(picture)
  await picture.getByRole('button', { name: /^Rename/ }).click()
  const field = picture.getByRole('textbox')
  await field.fill('another')
  const { body } = await viewer.ask(listPastes, { query: {} })
  await viewer.ask(deletePaste, { params: { id: body.items[0]?.id ?? '' } })
  await field.press('Enter')
  await picture.getByRole('alert').filter({ hasText: 'Paste not found' }).waitFor()
  expect(await field.inputValue()).toBe('another')
  expect(await viewer.files()).toEqual([])
})

deepTest(
  '[W-407] earlier pastes are there, in pages, and follow what happens elsewhere',
  {
    timeout: 90_000,
  },
  async () => {
    await using visit = await bench.visit()
    const { page, viewer } = visit
    const bytes = await png(8, 6)
    await choose(
      page,
      Array.from({ length: 25 }, (_, index) => ({ name: `${index}.png`, bytes })),
    )
    await allSaved(page, 25)

    await using other = await openPage(bench.browser(), { viewport: WIDE })
    await other.page.goto(viewer.url)
    await earlierPictures(other.page).nth(19).waitFor()
    expect(await earlierPictures(other.page).count()).toBe(20)
    const { body } = await viewer.ask(listPastes, { query: { limit: 25 } })
    const names = await earlierPictures(other.page).getByRole('heading').allInnerTexts()
    expect(names).toEqual(body.items.slice(0, 20).map(({ name }) => name))
    await other.page.getByRole('button', { name: 'Show older' }).click()
    await earlierPictures(other.page).nth(24).waitFor()
    expect(await other.page.getByRole('button', { name: 'Show older' }).count()).toBe(0)

    const [newest, next] = body.items
    if (newest === undefined || next === undefined) throw new Error('there are none')
    await viewer.ask(patchPaste, { params: { id: newest.id }, body: { name: 'renamed-by-an-agent' } })
    await other.page.getByRole('heading', { name: 'renamed-by-an-agent' }).waitFor()
    await ownPictures(page).getByRole('heading', { name: 'renamed-by-an-agent' }).waitFor()
    await viewer.ask(deletePaste, { params: { id: next.id } })
    await waitUntil('it is gone in both pages', async () => {
      const counts = [await earlierPictures(other.page).count(), await ownPictures(page).count()]
      return counts.every((count) => count === 24)
    })
  },
)
