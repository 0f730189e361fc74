// The pictures of the home page and the sample workspace, taken anew: `node e2e/test/workspace-pages/take-home-pictures.ts`.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPage, screenshot, startChromium } from '@patchbay/testkit/chromium'
import { startPostgres } from '@patchbay/testkit/postgres'
import { signIn } from '../identity-pages/people.ts'
import { startSite } from '../identity-pages/site.ts'
import { makeAccount } from '../installation/accounts.ts'

const FOLDER = process.argv[2] ?? fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))
const DESK = { width: 1280, height: 800 }
const LOOKS = [
  { look: 'light', options: { viewport: DESK, colorScheme: 'light' } },
  { look: 'dark', options: { viewport: DESK, colorScheme: 'dark' } },
  { look: 'phone', options: { viewport: { width: 390, height: 844 }, colorScheme: 'light' } },
] as const

await using browser = await startChromium()
await using postgres = await startPostgres()
await using site = await startSite({ databaseUrl: await postgres.createDatabase('pictures') })
for (const { look, options } of LOOKS) {
  const account = await makeAccount(site, `ada-${look}`, { name: 'Ada Lovelace' })
  const { page } = await openPage(browser, { ...options, reducedMotion: 'reduce', timezoneId: 'UTC' })
  const take = (name: string, fullPage = true) =>
    screenshot(page, join(FOLDER, `${name}-${look}.png`), { fullPage })
  await signIn(site, page, account)
  await page.goto(`${site.url}/`)
  await page.getByText('0 of 5 done').waitFor()
  await take('home-first')
  await page.getByRole('button', { name: 'Open the sample workspace' }).click()
  await page.waitForURL(/night-lamp$/)
  await page.getByRole('banner').getByText('Connected', { exact: true }).waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
  await take('home-sample', false)
  await page.goto(`${site.url}/`)
  await page.getByRole('list', { name: 'Recent workspaces' }).waitFor()
  await take('home-recent')
  await page.context().close()
}
