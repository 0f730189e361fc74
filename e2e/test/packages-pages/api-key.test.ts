import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Locator, Page } from '@patchbay/testkit/chromium'
import { expect, test } from 'vitest'
import { shows, useBench } from '../identity-pages/bench.ts'
import { publish } from './publishing.ts'

const bench = useBench()
const run = promisify(execFile)

async function copied(page: Page, dialog: Locator, label: string): Promise<string> {
  const button = dialog.getByRole('button', { name: `Copy: ${label}` })
  await button.click()
  await button.getByText('Copied').waitFor()
  return await page.evaluate(() => navigator.clipboard.readText())
}

test('[W-238] what a key may do is chosen in words, and it comes with lines that work as they are', async () => {
  await using visit = await bench.visitAs({ permissions: ['clipboard-read', 'clipboard-write'] })
  const { page, account } = visit
  const { handle } = account
  await publish(bench.site, account, { identifier: `com.example.${handle}` }, { visibility: 'private' })
  await page.goto(`${bench.site.url}/account`)
  await page.getByRole('button', { name: 'Create a key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Nightly build')
  expect(await shows(dialog.getByRole('button', { name: 'Packages: publish and read Area' }))).toBe(true)
  expect(await dialog.getByRole('textbox', { name: 'Owner and package' }).inputValue()).toBe(`${handle}/*`)
  expect(await shows(dialog.getByText(`${handle}/* stands for every package of ${handle}`))).toBe(true)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const key = await copied(page, dialog, 'The key')
  const line = await copied(page, dialog, 'For the patchbay command, in a shell or a build')
  const script = `${line}\nprintf '%s %s' "$PATCHBAY_SERVER_URL" "$PATCHBAY_API_KEY"`
  expect((await run('sh', ['-c', script], { env: {} })).stdout).toBe(`${bench.site.url} ${key}`)
  const header = await copied(page, dialog, 'For other programs, as a header of every request')
  const [name = '', value = ''] = header.split(': ')
  const feed = `${bench.site.url}/registry/feeds/kicad/${handle}/private/repository.json`
  expect((await fetch(feed)).status).toBe(404)
  expect((await fetch(feed, { headers: { [name]: value } })).status).toBe(200)
  await dialog.getByRole('button', { name: 'Done' }).click()
  const entry = page.getByRole('list', { name: 'Your API keys' }).getByRole('listitem').first()
  expect(await entry.innerText()).toContain(`All packages of ${handle} packages:${handle}/*`)
  expect(await page.content()).not.toContain(key)
})
