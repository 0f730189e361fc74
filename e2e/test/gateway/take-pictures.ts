// Pictures of the whole journey for the guide: `node e2e/test/gateway/take-pictures.ts`.
import { fileURLToPath } from 'node:url'
import { type Page, screenshot } from '@patchbay/testkit/chromium'
import { connectAsAda, startExample } from './journey.ts'

const FOLDER = new URL('../../../docs/pictures/', import.meta.url)
const LOOKS = [
  { name: 'light', options: { viewport: { width: 800, height: 640 }, colorScheme: 'light' } },
  { name: 'dark', options: { viewport: { width: 800, height: 640 }, colorScheme: 'dark' } },
  { name: 'phone', options: { viewport: { width: 390, height: 780 }, colorScheme: 'light' } },
] as const

for (const { name, options } of LOOKS) {
  await using example = await startExample(options)
  await connectAsAda(example, async (step: string, page: Page) => {
    // Development pages of the provider, and the gateway's own, have pictures elsewhere.
    if (!['service', 'waiting', 'connected'].includes(step)) return
    await screenshot(page, fileURLToPath(new URL(`connect-${step}-${name}.png`, FOLDER)))
  })
}
