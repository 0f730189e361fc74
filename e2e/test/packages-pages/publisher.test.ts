import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { beforeAll, expect } from 'vitest'
import { heading, shows, useBench } from '../identity-pages/bench.ts'
import { signIn } from '../identity-pages/people.ts'
import { metadataOf, packArchive, temporaryFolder } from './archives.ts'
import { zipOfMetadata } from './broken-archive.ts'
import { dropFile } from './drop-file.ts'
import { type Furnished, sharedRegistry } from './furnish.ts'

const bench = useBench({ environment: { PATCHBAY_OUTBOUND_NETWORKS: '127.0.0.0/8' } })
let registry: Furnished
beforeAll(async () => {
  registry = await sharedRegistry(bench.site)
})

const publisher = (owner: string) => `${bench.site.url}/publishers/${owner}`

/** The dialog of somebody new, who has published nothing yet. */
async function openDialog(page: Page, owner: string) {
  await page.goto(publisher(owner))
  await page.getByRole('button', { name: 'Publish' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  return {
    dialog,
    send: dialog.getByRole('button', { name: 'Publish', exact: true }),
    give: (bytes: Uint8Array, name = 'package.zip') =>
      dialog
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: 'application/zip', buffer: Buffer.from(bytes) }),
  }
}

test('[W-220] strangers see the public packages and the address of their repository', async () => {
  const { ada } = registry
  await using visit = await bench.visit()
  const { page } = visit
  await page.goto(publisher(ada.handle))
  await heading(page, ada.handle).waitFor()
  await page.getByRole('link', { name: 'Blinky' }).waitFor()
  const text = await page.getByRole('main').innerText()
  expect(text).toContain(`${bench.site.url}/registry/feeds/kicad/${ada.handle}/repository.json`)
  expect(text).not.toMatch(/Unreleased|Retired|Every publication and change/)
  expect(await page.getByRole('button', { name: 'Publish' }).count()).toBe(0)
  await page.goto(publisher('No-Handle'))
  expect(await shows(heading(page, 'Publisher not found'))).toBe(true)
})

test('[W-221] members see everything and who did what, others do not', async () => {
  const { ada, grace, organization } = registry
  await using visit = await bench.visit()
  const { page } = visit
  await signIn(bench.site, page, ada)
  await page.goto(publisher(ada.handle))
  const all = page.getByRole('list', { name: `All packages of ${ada.handle}` })
  await all.waitFor()
  const entry = (name: string) => all.locator(':scope > li').filter({ hasText: name })
  expect(await entry('Unreleased board checks').innerText()).toContain('Private')
  expect(await entry('Retired helper').innerText()).toContain('Delisted')
  const log = page.getByRole('list', { name: `Changes to packages of ${ada.handle}` })
  expect(await log.locator(':scope > li').first().innerText()).toMatch(/ada delisted\s+com.example.retired/)
  expect(await log.locator(':scope > li').count()).toBe(10)
  await page.getByRole('button', { name: 'Show older changes' }).click()
  await log.locator(':scope > li').nth(10).waitFor()
  expect(await log.locator(':scope > li').count()).toBe(11)
  await using other = await bench.visit()
  await signIn(bench.site, other.page, grace)
  await other.page.goto(publisher(organization))
  await other.page.getByRole('list', { name: `All packages of ${organization}` }).waitFor()
  expect(await other.page.getByRole('button', { name: 'Publish' }).count()).toBe(0)
})

deepTest('[W-230] the menu of the account leads to the own packages', async () => {
  await using visit = await bench.visitAs()
  const { page, account } = visit
  await page.goto(`${bench.site.url}/`)
  await page.getByRole('button', { name: `Signed in as ${account.handle}` }).click()
  await page.getByRole('menuitem', { name: 'My packages' }).click()
  expect(await shows(page.getByText('No packages yet. Publish the first one'))).toBe(true)
  expect(page.url()).toBe(publisher(account.handle))
})

test('[W-222] a chosen file is published, and its page is one link away', async () => {
  await using visit = await bench.visitAs()
  const { page, account } = visit
  const { dialog, send, give } = await openDialog(page, account.handle)
  await give(await packArchive({ identifier: 'com.new.first', fields: { name: 'First of mine' } }))
  await dialog.getByRole('button', { name: /Visibility$/ }).click()
  await page.getByRole('option', { name: /^Private/ }).click()
  await send.click()
  expect(await shows(dialog.getByText('com.new.first 1.0.0 is published'))).toBe(true)
  await dialog.getByRole('button', { name: 'Done' }).click()
  const entry = page.getByRole('list', { name: /^All packages/ }).locator(':scope > li')
  expect(await shows(entry.filter({ hasText: 'First of mine' }).getByText('Private'))).toBe(true)
  await page.getByRole('link', { name: 'First of mine' }).click()
  expect(await shows(heading(page, 'First of mine'))).toBe(true)
})

deepTest('[W-222] a dropped file is taken as well', async () => {
  await using visit = await bench.visitAs()
  const { page, account } = visit
  const { dialog, send } = await openDialog(page, account.handle)
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'dropped.zip')
  await writeFile(file, await packArchive({ identifier: 'com.new.dropped' }))
  await dropFile(page, dialog.getByText('Drop the zip file here'), file)
  await dialog.getByText('dropped.zip').waitFor()
  await send.click()
  expect(await shows(dialog.getByText('com.new.dropped 1.0.0 is published'))).toBe(true)
})

test('[W-223] a refusal names every finding, or the entry that is at fault', async () => {
  await using visit = await bench.visitAs({ expectedFaults: [/422/, /409/] })
  const { page, account } = visit
  const { dialog, send, give } = await openDialog(page, account.handle)
  await give(zipOfMetadata(metadataOf({ fields: { license: 'MTI', tags: ['Not a tag'] } })))
  await send.click()
  const findings = dialog.getByRole('list', { name: 'Findings' })
  await findings.waitFor()
  const told = await findings.getByRole('listitem').allInnerTexts()
  expect(told).toHaveLength(2)
  expect(told[0]).toMatch(/^\/license \(line \d+\): .*MIT/)
  expect(told[1]).toMatch(/^\/tags\/0 \(line \d+\)/)
  await give(Buffer.from('this is no archive'))
  await findings.waitFor({ state: 'detached' })
  await send.click()
  expect(await shows(dialog.getByRole('alert').getByText('The archive was rejected'))).toBe(true)
  await give(await packArchive({ identifier: 'com.example.blinky', version: '9.9.9' }))
  await send.click()
  expect(await shows(dialog.getByText('This package identifier belongs to another owner'))).toBe(true)
})

test('[W-224] an archive is fetched from an address, or told why not', async () => {
  const archive = await packArchive({ identifier: 'com.new.fetched' })
  const source = createServer((_request, response) => void response.end(archive))
  await new Promise<void>((resolve) => {
    source.listen(0, '127.0.0.1', resolve)
  })
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => void source.close())
  const place = source.address()
  const port = typeof place === 'object' ? place?.port : undefined
  await using visit = await bench.visitAs({ expectedFaults: [/400/] })
  const { page, account } = visit
  const { dialog, send } = await openDialog(page, account.handle)
  await dialog.getByRole('tab', { name: 'Fetch from a URL' }).click()
  const field = dialog.getByRole('textbox', { name: /^URL/ })
  await field.fill('http://10.0.0.1/blinky.zip')
  await send.click()
  expect(await shows(dialog.getByText('The server is not allowed to fetch from this address'))).toBe(true)
  await field.fill(`http://127.0.0.1:${port}/fetched.zip`)
  await send.click()
  expect(await shows(dialog.getByText('com.new.fetched 1.0.0 is published'))).toBe(true)
})

test('[W-225] what cannot be published is told before it is sent', async () => {
  await using visit = await bench.visitAs()
  const { page, account } = visit
  const { dialog, send, give } = await openDialog(page, account.handle)
  await give(Buffer.from('x'), 'notes.txt')
  expect(await shows(dialog.getByRole('alert').getByText('This is not a zip file.'))).toBe(true)
  expect(await send.isDisabled()).toBe(true)
  await dialog.getByRole('tab', { name: 'Fetch from a URL' }).click()
  await dialog.getByRole('textbox', { name: /^URL/ }).fill('ftp://example.com/x.zip')
  await dialog.getByRole('textbox', { name: 'SHA-256' }).fill('abc')
  expect(await shows(dialog.getByText('An address that begins with https://'))).toBe(true)
  expect(await shows(dialog.getByText('64 digits and letters from a to f.'))).toBe(true)
  expect(await send.isDisabled()).toBe(true)
})

test('[W-226] an upload shows its progress, is ended by a button and by no slip', async () => {
  await using visit = await bench.visitAs()
  const { page, account } = visit
  const { dialog, send, give } = await openDialog(page, account.handle)
  await give(await packArchive({ identifier: 'com.new.ended' }))
  await page.route('**/registry/owners/*/packages?*', () => {})
  await send.click()
  await dialog.getByRole('progressbar').waitFor()
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  expect(await dialog.getByRole('progressbar').count()).toBe(1)
  const ended = page.waitForEvent('requestfailed')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await ended
  expect(await dialog.getByRole('progressbar').count()).toBe(0)
  await page.unroute('**/registry/owners/*/packages?*')
  await send.click()
  expect(await shows(dialog.getByText('com.new.ended 1.0.0 is published'))).toBe(true)
})
