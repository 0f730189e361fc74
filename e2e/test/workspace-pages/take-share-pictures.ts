// The pictures of sharing a workspace with people, taken anew: `node e2e/test/workspace-pages/take-share-pictures.ts`.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPage, type Page, screenshot, startChromium } from '@patchbay/testkit/chromium'
import { startPostgres } from '@patchbay/testkit/postgres'
import { signIn } from '../identity-pages/people.ts'
import { startSite } from '../identity-pages/site.ts'
import { type Account, makeAccount } from '../installation/accounts.ts'
import { makeWorkspace } from './workspace.ts'

const FOLDER = process.argv[2] ?? fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))
const DESK = { width: 1280, height: 800 }
const LOOKS = [
  { look: 'light', options: { viewport: DESK, colorScheme: 'light' } },
  { look: 'dark', options: { viewport: DESK, colorScheme: 'dark' } },
  { look: 'phone', options: { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true } },
] as const

await using browser = await startChromium()
await using postgres = await startPostgres()
await using site = await startSite({ databaseUrl: await postgres.createDatabase('pictures') })
const ada = await makeAccount(site, 'ada', { name: 'Ada Lovelace' })
const [grace] = [
  await makeAccount(site, 'grace', { name: 'Grace Hopper' }),
  await makeAccount(site, 'linus', { name: 'Linus' }),
]
const lamp = await makeWorkspace({ site }, ada, 'ada', 'lamp')
await lamp.add('code-editor')
await lamp.callAsOwner('PUT', ':workspace/members/grace', { role: 'viewer' })
await lamp.callAsOwner('PUT', ':workspace/members/linus', { role: 'editor' })
const invite = async (role: string) =>
  ((await lamp.callAsOwner('POST', ':workspace/invitations', { role, uses: 5 })) as { url: string }).url
const link = await invite('editor')

const board = site.url + lamp.path

async function take(
  name: string,
  who: Account | undefined,
  address: string,
  scene: (page: Page) => Promise<unknown>,
): Promise<void> {
  for (const { look, options } of LOOKS) {
    const { page } = await openPage(browser, { ...options, reducedMotion: 'reduce', timezoneId: 'UTC' })
    if (who !== undefined) await signIn(site, page, who)
    await page.goto(address)
    await scene(page)
    await screenshot(page, join(FOLDER, `share-${name}-${look}.png`))
    await page.context().close()
  }
}

const openDialog = async (page: Page) => {
  await page.getByRole('banner').getByText('Connected', { exact: true }).waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('list', { name: 'People with access' }).waitFor()
}

await take('dialog', ada, board, async (page) => {
  await openDialog(page)
  await page.getByRole('list', { name: 'Links that work' }).waitFor()
})
await take('link', ada, board, async (page) => {
  await openDialog(page)
  await page.getByRole('button', { name: 'Create link' }).click()
  await page.getByText('Copy the link now').waitFor()
})
await take('viewer', grace, board, openDialog)
await take('join', grace, link, (page) => page.getByRole('button', { name: 'Join' }).waitFor())
await take('stranger', undefined, link, (page) =>
  page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor(),
)
await take('list', grace, `${site.url}/workspaces`, (page) =>
  page.getByRole('heading', { name: 'Shared with you' }).waitFor(),
)
