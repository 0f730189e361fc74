import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPage, screenshot, startChromium } from '@patchbay/testkit/chromium'
import { buildApp } from './build-app.ts'
import { answerNobody, serveApp } from './site.ts'

// The pictures in the documentation, taken anew: `pnpm --filter @patchbay/web pictures`.
const FOLDER = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))
const DESK = { width: 1280, height: 800 }

const PICTURES = [
  { name: 'home-light', path: '/', colorScheme: 'light', viewport: DESK },
  { name: 'home-dark', path: '/', colorScheme: 'dark', viewport: DESK },
  { name: 'home-phone', path: '/', colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { name: 'gallery', path: '/components', colorScheme: 'light', viewport: { width: 1280, height: 1640 } },
] as const

await mkdir(FOLDER, { recursive: true })
await using site = await serveApp(await buildApp())
answerNobody(site)
await using browser = await startChromium()
for (const { name, path, colorScheme, viewport } of PICTURES) {
  await using watched = await openPage(browser, { colorScheme, viewport })
  await watched.page.goto(site.url + path)
  await watched.page.getByRole('heading', { level: 1 }).waitFor()
  await screenshot(watched.page, join(FOLDER, `${name}.png`))
}
