import { getViewerStatus, postShowWidget } from '@patchbay/contracts/viewer'
import { openPage } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { cuttable } from '../workspace-pages/cuttable.ts'
import {
  allSaved,
  earlierPictures,
  onUpload,
  onUploadAnswer,
  ownPictures,
  pathOf,
  REFUSED,
  shows,
  stopUnderPage,
  useViewers,
  WIDE,
} from './bench.ts'
import { choose, dragOver, paste } from './hands.ts'
import { png } from './pictures.ts'
import { savePicture } from './viewer.ts'

const bench = useViewers()

test('[W-381] the viewer page says what it is for', async () => {
  await using visit = await bench.visit({ path: '/' })
  const { page, viewer } = visit
  await page.getByRole('heading', { level: 1, name: 'Screenshots for your agent' }).waitFor()
  await page.getByText('Widgets open in this page.').waitFor()
  await page.getByText('night-lamp', { exact: true }).waitFor()
  await page.getByText('Nothing has been pasted yet.').waitFor()
  await page.getByText(viewer.folder).waitFor()
  await paste(page, await png(30, 20))
  await pathOf(ownPictures(page).first())
  await page.getByRole('link', { name: 'Viewer page' }).click()
  expect(await shows(earlierPictures(page).first())).toBe(true)
})

test('[W-460] F1: pictures are pasted, dropped and chosen on the viewer page, whose address the command prints', async () => {
  await using visit = await bench.visit({ path: '/' })
  const { page, viewer } = visit
  await paste(page, await png(30, 20))
  await allSaved(page, 1)
  await using dragged = await dragOver(page, [{ name: 'dropped.png', bytes: await png(20, 30) }])
  await page.getByText('Drop images to save them').waitFor()
  await dragged.drop()
  await allSaved(page, 2)
  await choose(page, [{ name: 'chosen.png', bytes: await png(25, 25) }])
  await allSaved(page, 3)
  expect(new URL(page.url()).pathname).toBe('/')
  expect(await viewer.files()).toHaveLength(6)
})

deepTest('[W-381] of two pages one is active, and both say which', async () => {
  await using visit = await bench.visit({ path: '/' })
  const { page, viewer } = visit
  await page.getByText('Widgets open in this page.').waitFor()
  await using other = await openPage(bench.browser(), { viewport: WIDE })
  await other.page.goto(viewer.url)
  expect(await shows(other.page.getByText('Widgets open in this page.'))).toBe(true)
  expect(await shows(page.getByText('Another page is active'))).toBe(true)
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  expect(await shows(page.getByText('Widgets open in this page.'))).toBe(true)
  expect(await shows(other.page.getByText('Another page is active'))).toBe(true)
})

test('[W-386][W-383] asked from outside, a viewer page turns into the widget and says so', async () => {
  await using visit = await bench.visit({ path: '/' })
  const { page, viewer } = visit
  const title = 'The <b>ripple</b> at 5 V & 12 V?'
  const { body } = await viewer.ask(postShowWidget, { body: { widget: 'screenshot-paste', title } })
  expect(body.widget).toBe('screenshot-paste')
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(title)
  expect(await page.title()).toBe(`${title} · Patchbay`)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Screenshots for your agent' }).waitFor()
})

deepTest(
  '[W-386] F1: what the viewer page sends, and what is typed there, stays when an agent asks',
  async () => {
    await using visit = await bench.visit({ path: '/' })
    const { page, viewer } = visit
    await paste(page, await png(30, 20))
    await allSaved(page, 1)
    await page.getByRole('button', { name: /^Rename/ }).click()
    await page.getByRole('textbox').fill('half typed')
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<'pass'>()
    await onUploadAnswer(page, async () => await mayGoOn)
    await paste(page, await png(20, 30))
    await ownPictures(page).first().getByText('Saving').waitFor()
    await viewer.ask(postShowWidget, { body: { widget: 'screenshot-paste', title: 'The other side' } })
    await page.getByRole('heading', { level: 1, name: 'The other side' }).waitFor()
    expect(await page.getByRole('textbox').inputValue()).toBe('half typed')
    goOn('pass')
    await pathOf(ownPictures(page).first())
    expect(await viewer.files()).toHaveLength(4)
  },
)

deepTest('[W-386] a page that shows the widget changes it in place, and what it holds stays', async () => {
  await using visit = await bench.visit()
  const { page, viewer } = visit
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<'pass'>()
  await onUploadAnswer(page, async () => await mayGoOn)
  await paste(page, await png(30, 20))
  await ownPictures(page).first().getByText('Saving').waitFor()
  await viewer.ask(postShowWidget, { body: { widget: 'screenshot-paste', title: 'Now the other side' } })
  await page.getByRole('heading', { level: 1, name: 'Now the other side' }).waitFor()
  expect(new URL(page.url()).searchParams.get('title')).toBe('Now the other side')
  goOn('pass')
  await pathOf(ownPictures(page).first())
  await viewer.ask(postShowWidget, { body: { widget: 'screenshot-paste' } })
  await page.getByRole('heading', { level: 1, name: 'Paste a screenshot' }).waitFor()
})

test('[W-385] a page is the same one after a reload', async () => {
  await using visit = await bench.visit({ path: '/' })
  const { page, viewer } = visit
  const ids: unknown[] = []
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const { type, pageId } = JSON.parse(String(payload)) as Record<string, unknown>
      if (type === 'open') ids.push(pageId)
    }),
  )
  await page.reload()
  await page.getByText('Widgets open in this page.').waitFor()
  await viewer.ask(postShowWidget, { body: { widget: 'screenshot-paste' } })
  await page.reload()
  await page.getByText('Active page').waitFor()
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
  expect((await viewer.ask(getViewerStatus, {})).body.pages).toBe(1)
})

deepTest('[W-385] also where the browser refuses storage', async () => {
  await using visit = await bench.visit({ path: '/' })
  const { page, viewer, open } = visit
  await page.addInitScript(() => {
    for (const storage of ['sessionStorage', 'localStorage']) {
      Object.defineProperty(globalThis, storage, {
        get() {
          throw new DOMException('refused', 'SecurityError')
        },
      })
    }
  })
  await open('/')
  await viewer.ask(postShowWidget, { body: { widget: 'screenshot-paste', title: 'Without storage' } })
  await page.getByRole('heading', { level: 1, name: 'Without storage' }).waitFor()
  expect(new URL(page.url()).hash).toBe('')
  await paste(page, await png(30, 20))
  await pathOf(ownPictures(page).first())
})

deepTest('[W-387][W-388] after a restart of the viewer the page goes on as if nothing had been', async () => {
  await using visit = await bench.visit({ expectedFaults: [REFUSED] })
  const { page, viewer } = visit
  await paste(page, await png(30, 20))
  await pathOf(ownPictures(page).first())
  await stopUnderPage(visit)
  await page.getByText('The viewer is not responding.').waitFor()
  await viewer.start()
  await page.getByText('Active page').waitFor()
  await paste(page, await png(20, 30))
  await allSaved(page, 2)
  expect(await viewer.files()).toHaveLength(4)
  expect(await ownPictures(page).count()).toBe(2)
})

deepTest('[W-388] a right that is refused is replaced in the midst of an upload', async () => {
  await using visit = await bench.visit({ expectedFaults: [/403/] })
  const { page, viewer } = visit
  await onUpload(
    page,
    async (route) => {
      const headers = { ...route.request().headers(), 'x-upload-grant': 'of-another-viewer-altogether' }
      await route.continue({ headers })
    },
    1,
  )
  await paste(page, await png(30, 20))
  await pathOf(ownPictures(page).first())
  expect(await viewer.files()).toHaveLength(2)
})

deepTest('[W-387] what others did meanwhile is there when the connection is back', async () => {
  await using visit = await bench.visit({ path: '/' })
  const { page, viewer, open } = visit
  const line = await cuttable(page, /\/api\/viewer\/socket$/)
  await open('/')
  await page.getByText('Nothing has been pasted yet.').waitFor()
  await line.cut()
  await page.getByText('Agents cannot reach this page').waitFor()
  await savePicture(viewer, await png(30, 20))
  const before = line.tries()
  await waitUntil('it tries again by itself', () => line.tries() > before)
  expect(await earlierPictures(page).count()).toBe(0)
  line.mend()
  expect(await shows(earlierPictures(page).first())).toBe(true)
})

deepTest('[W-387] so it is when the network was gone, at once when it is back', async () => {
  const expectedFaults = [/ERR_(?:CONNECTION_REFUSED|INTERNET_DISCONNECTED)/]
  await using visit = await bench.visit({ path: '/', expectedFaults })
  const { page, viewer } = visit
  await stopUnderPage(visit)
  await page.getByText('Agents cannot reach this page').waitFor()
  await page.waitForEvent('websocket')
  await page.context().setOffline(true)
  await viewer.start()
  await using other = await openPage(bench.browser(), { viewport: WIDE })
  await other.page.goto(`${viewer.url}/screenshot-paste`)
  await choose(other.page, [{ name: 'x.png', bytes: await png(30, 20) }])
  await pathOf(ownPictures(other.page).first())
  await page.context().setOffline(false)
  expect(await shows(earlierPictures(page).first())).toBe(true)
})

deepTest('[W-398] what could not be sent is kept, and sent when the viewer is back', async () => {
  await using visit = await bench.visit({ expectedFaults: [REFUSED] })
  const { page, viewer } = visit
  await stopUnderPage(visit)
  await choose(page, [
    { name: 'one.png', bytes: await png(30, 20) },
    { name: 'two.png', bytes: await png(20, 30) },
  ])
  await ownPictures(page).nth(1).getByText('The image is kept here').waitFor()
  await viewer.start()
  await allSaved(page, 2)
  expect(await viewer.files()).toHaveLength(4)
})

deepTest('[W-398] offline, a press tries again; back online it is sent by itself', async () => {
  await using visit = await bench.visit({ expectedFaults: [/ERR_INTERNET_DISCONNECTED/] })
  const { page, viewer } = visit
  await page.context().setOffline(true)
  await choose(page, [{ name: 'one.png', bytes: await png(30, 20) }])
  const picture = ownPictures(page).first()
  await picture.getByText('The image is kept here').waitFor()
  const again = page.waitForRequest((request) => request.method() === 'POST')
  await picture.getByRole('button', { name: /^Send again/ }).click()
  await again
  await picture.getByText('The image is kept here').waitFor()
  await page.context().setOffline(false)
  await pathOf(picture)
  expect(await viewer.files()).toHaveLength(2)
})

deepTest('[W-398] what was sent whole with no answer is sent again at a press only', async () => {
  await using visit = await bench.visit({ expectedFaults: [REFUSED, /ERR_CONNECTION_RESET/] })
  const { page, viewer } = visit
  let isLost = true
  await onUploadAnswer(page, async () => (isLost ? 'lose' : 'pass'))
  await paste(page, await png(30, 20))
  const picture = ownPictures(page).first()
  await picture.getByText('saving was not confirmed').waitFor()
  await earlierPictures(page).first().waitFor()
  await stopUnderPage(visit)
  await viewer.start()
  await page.getByText('Active page').waitFor()
  expect(await picture.getByText('saving was not confirmed').count()).toBe(1)
  expect(await viewer.files()).toHaveLength(2)
  isLost = false
  await picture.getByRole('button', { name: /^Send again/ }).click()
  await pathOf(picture)
  expect(await viewer.files()).toHaveLength(4)
})
