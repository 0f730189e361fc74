import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPage, screenshot, startChromium } from '@patchbay/testkit/chromium'
import { CONFIRM_PATH, servePages } from './served-pages.ts'

// The pictures in the documentation, taken anew: `node areas/gateway/test/pages/take-pictures.ts`.
const FOLDER = fileURLToPath(new URL('../../../../docs/pictures/', import.meta.url))
const DESK = { width: 800, height: 760 }
const SHORT_DESK = { width: 800, height: 520 }
const PHONE = { width: 390, height: 844 }
const DONE = '/callback/result/done'
const DENIED = '/callback/result/access-denied'

const PICTURES = [
  { name: 'gateway-done-light', path: DONE, colorScheme: 'light', viewport: SHORT_DESK },
  { name: 'gateway-done-dark', path: DONE, colorScheme: 'dark', viewport: SHORT_DESK },
  { name: 'gateway-done-phone', path: DONE, colorScheme: 'light', viewport: PHONE },
  { name: 'gateway-confirm-light', path: CONFIRM_PATH, colorScheme: 'light', viewport: DESK },
  { name: 'gateway-confirm-dark', path: CONFIRM_PATH, colorScheme: 'dark', viewport: DESK },
  { name: 'gateway-confirm-phone', path: CONFIRM_PATH, colorScheme: 'light', viewport: PHONE },
  { name: 'gateway-denied-light', path: DENIED, colorScheme: 'light', viewport: SHORT_DESK },
] as const

await mkdir(FOLDER, { recursive: true })
await using site = await servePages()
await using browser = await startChromium()
for (const { name, path, colorScheme, viewport } of PICTURES) {
  await using watched = await openPage(browser, { colorScheme, viewport })
  await watched.page.goto(site.url + path)
  await screenshot(watched.page, join(FOLDER, `${name}.png`), { fullPage: true })
}
