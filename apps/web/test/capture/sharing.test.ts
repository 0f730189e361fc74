import { type Browser, type Page, sharedChromium } from '@patchbay/testkit/chromium'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SandboxSite } from '../sandbox/sandbox-site.ts'
import { serveCapture, serveOther, share, WHOLE } from './capture-site.ts'

interface Shared {
  capturer: {
    isSharing(scope?: string): boolean
    stop(): void
    start(scope?: string): Promise<void>
    subscribe(listener: () => void): () => void
    capture(request: object): Promise<{ width: number }>
  }
  changes: boolean[]
}

let browser: Browser
let other: SandboxSite
let site: SandboxSite
beforeAll(async () => {
  other = await serveOther()
  site = await serveCapture(other.url)
  browser = await sharedChromium(WHOLE)
}, 120_000)
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
})

async function openPage(): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(site.url)
  await page.evaluate(() => {
    const shared = globalThis as unknown as Shared & { createCapturer(options: object): Shared['capturer'] }
    shared.capturer = shared.createCapturer({ frameMs: 10_000 })
    shared.changes = []
    shared.capturer.subscribe(() => shared.changes.push(shared.capturer.isSharing()))
  })
  return page
}

test('[W-344] nothing is shared before a person agrees, nor after they stop, and each change is told', async () => {
  const page = await openPage()
  const capture = () =>
    page.evaluate(() =>
      (globalThis as unknown as Shared).capturer.capture({
        scope: 'panel',
        element: document.querySelector('#panel'),
      }),
    )
  await expect(capture()).rejects.toThrow('not shared')
  await share(page, 'workspace')
  expect(await capture()).toMatchObject({ width: 400 })
  expect(await page.evaluate(() => (globalThis as unknown as Shared).capturer.isSharing('screen'))).toBe(
    false,
  )
  await page.evaluate(() => (globalThis as unknown as Shared).capturer.stop())
  await expect(capture()).rejects.toThrow('not shared')
  const changes = await page.evaluate(() => (globalThis as unknown as Shared).changes)
  expect([changes[0], changes.at(-1)]).toEqual([true, false])
  await page.close()
}, 120_000)

test('[W-345] pictures that are asked for at once come one after the other, each of its element', async () => {
  const page = await openPage()
  await share(page, 'workspace')
  const widths = await page.evaluate(async () => {
    const wide = document.createElement('div')
    wide.id = 'wide'
    wide.style.cssText =
      'position:fixed;top:0;left:0;width:600px;height:90px;background:#123;isolation:isolate'
    document.body.append(wide)
    const { capturer } = globalThis as unknown as Shared
    const elements = ['#panel', '#wide', '#panel', '#wide'].map((id) => document.querySelector(id))
    const pictures = await Promise.all(
      elements.map((element) => capturer.capture({ scope: 'panel', element })),
    )
    return pictures.map(({ width }) => width)
  })
  expect(widths).toEqual([400, 600, 400, 600])
  await page.close()
}, 120_000)
