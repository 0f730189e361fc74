import { createServer } from 'node:http'
import { postShowWidget } from '@patchbay/contracts/viewer'
import { openPage, type Page } from '@patchbay/testkit/chromium'
import { freePort } from '@patchbay/testkit/ports'
import { expect, test } from 'vitest'
import { useViewers, WIDE } from './bench.ts'
import { copy, dragOver, pressPaste } from './hands.ts'
import { png } from './pictures.ts'
import { openViewer } from './viewer.ts'

const bench = useViewers()

/** A page of another origin that shows the viewer as a workspace shows pages: in a frame with few rights. */
async function frameIt(viewerUrl: string, port: number) {
  const rights = 'allow-scripts allow-forms allow-popups allow-downloads allow-same-origin'
  const body = `<!doctype html><title>Around</title><link rel="icon" href="data:,"><h1>Around</h1>
    <iframe title="Panel" sandbox="${rights}" src="${viewerUrl}" width="600" height="700"></iframe>`
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(body),
  )
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://localhost:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

const panel = (page: Page) => page.frameLocator('iframe')

test('[W-413][W-401][W-391] in a frame of another origin everything works without permissions', async () => {
  const port = await freePort()
  await using viewer = await openViewer({
    environment: { PATCHBAY_VIEWER_FRAMED_BY: `http://localhost:${port}` },
  })
  await using around = await frameIt(viewer.url, port)
  // The browser notes that the frame asked for the clipboard.
  await using visit = await openPage(bench.browser(), {
    viewport: WIDE,
    expectedFaults: [/permissions policy/i],
  })
  const { page } = visit
  page.setDefaultTimeout(15_000)
  await page.goto(around.url)
  await panel(page).getByText('Widgets open in this page.').waitFor()
  await copy(page, { png: await png(120, 80) })
  await page.context().clearPermissions()

  await viewer.ask(postShowWidget, { body: { widget: 'screenshot-paste', title: 'In a panel' } })
  await panel(page).getByRole('heading', { level: 1, name: 'In a panel' }).waitFor()

  await panel(page).getByRole('button', { name: 'Paste', exact: true }).click()
  await panel(page).getByText('Press Ctrl+V instead').waitFor()
  await pressPaste(page)
  const pictures = panel(page).getByRole('list', { name: 'Added here' }).getByRole('listitem')
  const copies = pictures.getByRole('button', { name: /^Copy path/ })
  await copies.first().waitFor()

  const bytes = await png(60, 40)
  await panel(page)
    .locator('input[type=file]')
    .setInputFiles({ name: 'chosen.png', mimeType: 'image/png', buffer: bytes })
  await copies.nth(1).waitFor()
  await using dragged = await dragOver(page, [{ name: 'dropped.png', bytes }], { x: 200, y: 400 })
  await dragged.drop()
  await copies.nth(2).waitFor()
  expect(await viewer.files()).toHaveLength(6)

  const path = await pictures.first().locator('code').innerText()
  await copies.first().click()
  await pictures.first().getByText('Copied').waitFor()
  await page.context().grantPermissions(['clipboard-read'], { origin: new URL(around.url).origin })
  await page.getByRole('heading', { name: 'Around' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(path)
})
