import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getNextPaste, getViewerStatus } from '@patchbay/contracts/viewer'
import { openPage, type Page } from '@patchbay/testkit/chromium'
import { expect, test } from 'vitest'
import { useViewers } from '../viewer-pages/bench.ts'
import { png } from '../viewer-pages/pictures.ts'
import { openViewer, savePicture } from '../viewer-pages/viewer.ts'

const bench = useViewers()

/** A page of somebody else, which the person has open beside the viewer. */
async function startForeignSite() {
  const server = createServer((_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>Elsewhere</title><link rel="icon" href="data:,"><h1>Elsewhere</h1>'),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://elsewhere.localhost:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** What a page learns of an address: whether the browser lets it have an answer, and what a picture of it does. */
async function learn(page: Page, address: string): Promise<unknown> {
  return await page.evaluate(async (target) => {
    const ends = (promise: Promise<unknown>) =>
      promise.then(
        () => 'comes',
        () => 'fails',
      )
    const draw = new Promise((resolve, reject) => {
      const image = new Image()
      image.addEventListener('load', resolve)
      image.addEventListener('error', reject)
      image.src = target
    })
    return {
      opaque: await ends(fetch(target, { mode: 'no-cors' })),
      readable: await ends(fetch(target)),
      picture: await ends(draw),
    }
  }, address)
}

test('[E-160] a page elsewhere learns nothing of which pictures there are, holds nobody up, and opens nothing', async () => {
  await using viewer = await openViewer()
  const { optimized } = await savePicture(viewer, await png(40, 30))
  await using site = await startForeignSite()
  await using visit = await openPage(bench.browser(), { expectedFaults: [/./] })
  const { page } = visit
  await page.goto(site.url)

  const there = await learn(page, viewer.url + optimized.url)
  expect(there).toEqual({ opaque: 'fails', readable: 'fails', picture: 'fails' })
  expect(await learn(page, `${viewer.url}/pastes/missing-40x30.png`)).toEqual(there)

  const waits = await page.evaluate(async (base) => {
    const begunAt = performance.now()
    const address = `${base}/api/next-paste?wait_seconds=60`
    await Promise.allSettled(Array.from({ length: 70 }, () => fetch(address, { mode: 'no-cors' })))
    return performance.now() - begunAt
  }, viewer.url)
  expect(waits).toBeLessThan(30_000)
  expect((await viewer.ask(getNextPaste, { query: { wait_seconds: 0 } })).status).toBe(204)

  const socket = await page.evaluate(
    (address) =>
      new Promise((resolve) => {
        const line = new WebSocket(address)
        line.addEventListener('open', () => resolve('opened'))
        line.addEventListener('error', () => resolve('refused'))
      }),
    `${viewer.url.replace('http:', 'ws:')}/api/viewer/socket`,
  )
  expect(socket).toBe('refused')

  // In a frame the page of the viewer does not even begin: it would be counted as open.
  await page.evaluate(
    (address) =>
      new Promise((resolve) => {
        const frame = document.createElement('iframe')
        frame.addEventListener('load', resolve)
        frame.src = address
        document.body.append(frame)
      }),
    `${viewer.url}/screenshot-paste`,
  )
  expect((await viewer.ask(getViewerStatus, {})).body.pages).toBe(0)
})
