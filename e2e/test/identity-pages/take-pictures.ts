// The pictures of the identity pages, taken anew: `node e2e/test/identity-pages/take-pictures.ts`.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPage, type Page, screenshot, startChromium } from '@patchbay/testkit/chromium'
import { startPostgres } from '@patchbay/testkit/postgres'
import type { Account } from '../installation/accounts.ts'
import { furnish } from './furnish.ts'
import { endIntentIn, openIntent } from './intents.ts'
import { invite } from './invitations.ts'
import { signIn } from './people.ts'
import { type Site, startSite } from './site.ts'

const FOLDER = process.argv[2] ?? fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))
const LOOKS = [
  { look: 'light', options: { viewport: { width: 1000, height: 800 }, colorScheme: 'light' } },
  { look: 'dark', options: { viewport: { width: 1000, height: 800 }, colorScheme: 'dark' } },
  { look: 'phone', options: { viewport: { width: 390, height: 844 }, colorScheme: 'light' } },
] as const
const ASKING = { label: 'patchbay on lab-bench-7' }

/** Leads a page to the state that the picture shows. */
type Scene = (site: Site, page: Page, account: Account) => Promise<void>

const SCENES: Record<string, Scene> = {
  'approve-signin': async (site, page) => {
    await page.goto((await openIntent(site, ASKING)).auth_url)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
  },
  'sign-in': async (site, page) => {
    await page.goto(`${site.url}/sign-in`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
  },
  'sign-up': async (site, page) => {
    await page.goto(`${site.url}/sign-up?with=passkey`)
    await page.getByRole('textbox', { name: /^Handle/ }).fill('grace')
    await page.getByRole('textbox', { name: /^Name/ }).fill('Grace Hopper')
  },
  welcome: async (site, page) => {
    await page.goto(await invite(site, { makesAdmin: true }))
    await page.getByRole('button', { name: 'Sign up with a passkey' }).waitFor()
  },
  approve: signedIn(async (site, page) => {
    await page.goto((await openIntent(site, ASKING)).auth_url)
    await page.getByRole('button', { name: 'Approve' }).waitFor()
  }),
  'approve-done': signedIn(async (site, page) => {
    await page.goto((await openIntent(site, ASKING)).auth_url)
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('heading', { name: 'Done' }).waitFor()
  }),
  'approve-expired': signedIn(async (site, page) => {
    const intent = await openIntent(site, ASKING)
    await endIntentIn(site, intent, -1000)
    await page.goto(intent.auth_url)
    await page.getByRole('heading', { name: 'This link has expired' }).waitFor()
  }),
  'approve-linked': signedIn(async (site, page) => {
    const intent = await openIntent(site, ASKING)
    await page.goto(intent.auth_url)
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('heading', { name: 'Done' }).waitFor()
    await page.goto(intent.auth_url)
    await page.getByRole('heading', { name: 'This link has already been used' }).waitFor()
  }),
  account: signedIn(async (site, page) => {
    await page.goto(`${site.url}/account`)
    await page.getByRole('list', { name: 'Your organizations' }).waitFor()
    await page.getByRole('list', { name: 'Your API keys' }).waitFor()
    await page.getByRole('list', { name: 'Your passkeys' }).waitFor()
  }),
  people: signedIn(async (site, page) => {
    await page.goto(`${site.url}/account/people`)
    await page.getByRole('list', { name: 'Accounts' }).waitFor()
  }),
}

function signedIn(scene: Scene): Scene {
  return async (site, page, account) => {
    await signIn(site, page, account)
    await scene(site, page, account)
  }
}

await using browser = await startChromium()
await using postgres = await startPostgres()
for (const { look, options } of LOOKS) {
  await using site = await startSite({ databaseUrl: await postgres.createDatabase(look) })
  const account = await furnish(site)
  for (const [name, scene] of Object.entries(SCENES)) {
    const begun = new Date()
    const { page } = await openPage(browser, { ...options, reducedMotion: 'reduce', timezoneId: 'UTC' })
    await scene(site, page, account)
    await screenshot(page, join(FOLDER, `identity-${name}-${look}.png`), { fullPage: true })
    await page.context().close()
    // The next picture begins with the same sessions.
    await site.db.deleteFrom('sessions').where('created_at', '>=', begun).execute()
  }
}
