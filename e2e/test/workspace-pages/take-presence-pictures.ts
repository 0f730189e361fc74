// The pictures of who is in a workspace, taken anew: `node e2e/test/workspace-pages/take-presence-pictures.ts`.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPage, type Page, screenshot, startChromium } from '@patchbay/testkit/chromium'
import { startPostgres } from '@patchbay/testkit/postgres'
import { signIn } from '../identity-pages/people.ts'
import { startSite } from '../identity-pages/site.ts'
import { type Account, makeAccount } from '../installation/accounts.ts'
import { makeWorkspace, tabNamed } from './workspace.ts'

const FOLDER = process.argv[2] ?? fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))
const DESK = { width: 1280, height: 800 }
const LOOKS = [
  { look: 'light', options: { viewport: DESK, colorScheme: 'light' } },
  { look: 'dark', options: { viewport: DESK, colorScheme: 'dark' } },
  { look: 'phone', options: { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true } },
] as const
const PEOPLE = [
  { handle: 'grace', name: 'Grace Hopper', tab: 'Code editor' },
  { handle: 'linus', name: 'Linus Benedict', tab: 'System log' },
  { handle: 'bob', name: 'Bob Noyce', tab: 'Sandbox' },
  { handle: 'hedy', name: 'Hedy Lamarr', tab: 'Sandbox' },
  { handle: 'alan', name: 'Alan', tab: 'Code editor' },
] as const

const MAIN = `#include "led.h"

// Dims the lamp when it is dark.
int main(void) {
  led_init(LED_PIN);
  for (;;) {
    int level = read_brightness();
    led_set(level < 40 ? 255 - level * 6 : 0);
    wait_ms(200);
  }
}
`

await using browser = await startChromium()
await using postgres = await startPostgres()
await using site = await startSite({ databaseUrl: await postgres.createDatabase('pictures') })
const ada = await makeAccount(site, 'ada', { name: 'Ada Lovelace' })
const lamp = await makeWorkspace({ site }, ada, 'ada', 'lamp')
await lamp.write('main.c', MAIN)
const { panelId } = await lamp.add('code-editor', { initialState: { files: ['main.c'], active: 'main.c' } })
await lamp.add('system-log', { panelId, activate: false })
await lamp.add('sandbox', { panelId, direction: 'right' })

async function open(page: Page, who: Account): Promise<void> {
  await signIn(site, page, who)
  await page.goto(site.url + lamp.path)
  await tabNamed(page, 'Sandbox').waitFor()
}

for (const { handle, name, tab } of PEOPLE) {
  const account = await makeAccount(site, handle, { name })
  // Who may only look turns tabs for themselves: all of them can be somewhere else.
  await lamp.callAsOwner('PUT', `:workspace/members/${handle}`, { role: 'viewer' })
  const { page } = await openPage(browser, { viewport: DESK })
  await open(page, account)
  await tabNamed(page, tab).click()
}

const list = async (page: Page) => {
  await page.getByRole('button', { name: /^People here: 6/ }).click()
  await page.getByRole('listitem').filter({ hasText: 'Linus Benedict — System log' }).waitFor()
}
const SCENES: Record<string, (page: Page) => Promise<unknown>> = {
  list,
  following: async (page) => {
    await list(page)
    await page.getByRole('button', { name: 'Follow Grace Hopper' }).click()
    await page.getByRole('button', { name: 'Stop following Grace Hopper' }).waitFor()
  },
  palette: async (page) => {
    await page.getByRole('button', { name: /^People here: 6/ }).waitFor()
    await page.keyboard.press('Control+K')
    await page.keyboard.type('follow')
    await page.getByRole('option', { name: /^Follow Grace Hopper/ }).waitFor()
  },
}
for (const [name, scene] of Object.entries(SCENES))
  for (const { look, options } of LOOKS) {
    const { page } = await openPage(browser, { ...options, reducedMotion: 'reduce', timezoneId: 'UTC' })
    await open(page, ada)
    await scene(page)
    await screenshot(page, join(FOLDER, `presence-${name}-${look}.png`))
    await page.context().close()
  }
