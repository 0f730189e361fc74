import type { Page } from '@patchbay/testkit/chromium'
import { beforeAll, expect, test } from 'vitest'
import { heading, shows, useBench } from '../identity-pages/bench.ts'
import { signIn } from '../identity-pages/people.ts'
import { type Furnished, sharedRegistry } from './furnish.ts'
import { delist, publish } from './publishing.ts'

const bench = useBench()
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0'
let registry: Furnished
beforeAll(async () => {
  registry = await sharedRegistry(bench.site)
})

const packageAddress = (identifier: string) => `${bench.site.url}/packages/${identifier}`
const row = (page: Page, version: string) => page.getByRole('row').filter({ hasText: version })

async function choosePlatform(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: `${from} Your platform` }).click()
  await page.getByRole('option', { name: to }).click()
}

test('[W-210] the page shows the package and its versions, whose hashes are copied and archives fetched', async () => {
  await using visit = await bench.visit({ permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = visit
  await page.goto(packageAddress('com.example.blinky'))
  await heading(page, 'Blinky').waitFor()
  expect(await page.title()).toBe('Blinky · Patchbay')
  const text = await page.getByRole('main').innerText()
  for (const part of [
    'by ada',
    'Choose a net, press B',
    'MIT',
    'Analytical Labs',
    'labs@example.com',
    'routing',
  ])
    expect(text).toContain(part)
  expect(await row(page, '3.0.0').innerText()).toMatch(
    /Testing.*Tool 9.0 and later.*Any platform.*SWIG runtime.*by ada/s,
  )
  const sparse = (await (
    await fetch(`${bench.site.url}/registry/sparse/tool/com.example.blinky.json`)
  ).json()) as {
    versions: { version: string; download_sha256: string }[]
  }
  await page.getByRole('button', { name: 'Copy the SHA-256 of version 2.1.0' }).click()
  await page.getByText('SHA-256 of version 2.1.0 copied.').waitFor()
  const sha256 = sparse.versions.find(({ version }) => version === '2.1.0')?.download_sha256
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(sha256)
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download version 2.1.0' }).click()
  expect((await downloading).suggestedFilename()).toBe('com.example.blinky-2.1.0.zip')
})

test('[W-211] only plain web addresses become links', async () => {
  const { ada } = registry
  await publish(bench.site, ada, {
    identifier: 'com.example.tricky',
    fields: {
      name: '<img src=x onerror=alert(1)>',
      description_full: '<script>alert(1)</script> [x](javascript:alert(1))',
      author: { name: 'Eve', contact: { web: 'www.example.com', mail: 'mailto:eve@example.com' } },
      resources: {
        good: 'https://example.com/good',
        hidden: 'https://bank.example@evil.example/',
        local: 'file:///etc/passwd',
      },
    },
  })
  await using visit = await bench.visit()
  const { page } = visit
  await page.goto(packageAddress('com.example.tricky'))
  await heading(page, '<img src=x onerror=alert(1)>').waitFor()
  const links = await page
    .getByRole('region', { name: 'Details' })
    .getByRole('link')
    .evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''))
  expect(links).toEqual(['https://example.com/good', '/packages?tag=led'])
  expect(await page.getByText('<script>alert(1)</script>').count()).toBe(1)
  expect(await page.getByText('https://bank.example@evil.example/').count()).toBe(1)
})

test('[W-212] the version that fits is named, and others say why not', async () => {
  await using visit = await bench.visit({ userAgent: WINDOWS })
  const { page } = visit
  await page.goto(packageAddress('com.example.blinky'))
  const tool = page.getByRole('textbox', { name: 'Your tool version' })
  await tool.fill('8.0')
  expect(await shows(page.getByText('Nothing fits tool 8.0 on Windows'))).toBe(true)
  expect(await row(page, '2.0.0').innerText()).toContain('Runs on linux, macos, not on windows.')
  expect(await row(page, '2.1.0').innerText()).toContain('Needs tool version 9.0 or newer, this is 8.0.')
  await choosePlatform(page, 'Windows', 'Linux')
  expect(await shows(page.getByText('Version 2.0.0 fits'))).toBe(true)
  expect(await row(page, '2.0.0').innerText()).toContain('Fits')
  await page.goto(packageAddress('com.example.panelizer'))
  await tool.fill('9.0')
  expect(await shows(page.getByText('No stable version works with tool 9.0 on Linux.'))).toBe(true)
  await tool.fill('nine')
  expect(await shows(page.getByText('Numbers with dots, such as 9.0.2.'))).toBe(true)
})

test('[W-440] C8: a plugin for a runtime that the tool does not have does not fit', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await page.goto(packageAddress('com.example.panelizer'))
  expect(await row(page, '0.9.0').innerText()).toContain('IPC runtime')
  await page.getByRole('textbox', { name: 'Your tool version' }).fill('8.0')
  expect(await shows(page.getByText('Nothing fits tool 8.0 on Linux'))).toBe(true)
  expect(await row(page, '0.9.0').innerText()).toContain('Needs the runtime ipc, here is swig.')
})

test('[W-213] the platform is guessed, and what was chosen is remembered', async () => {
  await using visit = await bench.visit({ userAgent: WINDOWS })
  const { page } = visit
  await page.goto(packageAddress('com.example.blinky'))
  await page.getByRole('textbox', { name: 'Your tool version' }).fill('8.0.1')
  await choosePlatform(page, 'Windows', 'macOS')
  await page.goto(packageAddress('com.example.midnight'))
  expect(await shows(page.getByRole('button', { name: 'macOS Your platform' }))).toBe(true)
  expect(await page.getByRole('textbox', { name: 'Your tool version' }).inputValue()).toBe('8.0.1')
})

test('[W-214] the command and the address of a repository are there to copy', async () => {
  await using visit = await bench.visit({ permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = visit
  await page.goto(packageAddress('com.example.blinky'))
  const copied = async (label: string) => {
    const button = page.getByRole('button', { name: `Copy: ${label}` })
    await button.click()
    await button.getByText('Copied').waitFor()
    return await page.evaluate(() => navigator.clipboard.readText())
  }
  expect(await copied('On the command line')).toBe(
    `patchbay install com.example.blinky --server ${bench.site.url}`,
  )
  const feed = await copied('Repository address')
  expect(feed).toBe(`${bench.site.url}/registry/feeds/kicad/ada/repository.json`)
  expect(await (await fetch(feed)).json()).toHaveProperty('packages.sha256')
})

test('[W-215] private and delisted packages are marked, with what that means', async () => {
  const { ada } = registry
  await using visit = await bench.visit()
  const { page } = visit
  await page.goto(packageAddress('com.example.retired'))
  expect(await shows(page.getByText('It is in no feed and in no search.'))).toBe(true)
  expect(await page.getByRole('button', { name: 'List it again' }).count()).toBe(0)
  await signIn(bench.site, page, ada)
  await page.goto(packageAddress('com.example.secret'))
  await heading(page, 'Unreleased board checks').waitFor()
  expect(await shows(page.getByText('Only those who may read packages of ada see it.'))).toBe(true)
})

test('[W-236] with a private address stands what reading it takes', async () => {
  const { ada } = registry
  await using visit = await bench.visit()
  const { page } = visit
  await signIn(bench.site, page, ada)
  await page.goto(packageAddress('com.example.secret'))
  const install = page.getByRole('region', { name: 'Install' })
  await install.getByRole('button', { name: 'Copy: Private repository address' }).waitFor()
  const text = await install.innerText()
  expect(text).toContain('It needs an API key: programs send one with the scope packages:ada/* in the header')
  expect(text).toContain('X-Api-Key')
  await install.getByRole('link', { name: 'API keys' }).click()
  const section = page.getByRole('heading', { level: 2, name: 'API keys' })
  expect(await shows(section.and(page.locator(':focus')))).toBe(true)
})

test('[W-237] on a phone each version stands as a block with its values named, and nothing scrolls sideways', async () => {
  await using visit = await bench.visit({ viewport: { width: 360, height: 740 }, hasTouch: true })
  const { page } = visit
  await signIn(bench.site, page, registry.ada)
  await page.goto(packageAddress('com.example.blinky'))
  await page.getByRole('textbox', { name: 'Your tool version' }).fill('8.0')
  await page.getByRole('button', { name: 'Change the status of version 2.0.0' }).waitFor()
  const cells = row(page, '2.0.0').locator('td')
  expect(
    await cells.evaluateAll((found) => found.map((cell) => getComputedStyle(cell, '::before').content)),
  ).toEqual(
    ['Works with', 'For you', 'Published', 'Size', 'SHA-256', 'Archive', 'Change'].map(
      (label) => `"${label}"`,
    ),
  )
  const scrolling = () =>
    Array.from(document.querySelectorAll('html, main, main *'))
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1)
      .filter(
        (element) => element.tagName === 'HTML' || /auto|scroll/.test(getComputedStyle(element).overflowX),
      )
      .map((element) => element.outerHTML.slice(0, 80))
  for (const width of [360, 768]) {
    await page.setViewportSize({ width, height: 740 })
    expect(await page.evaluate(scrolling)).toEqual([])
  }
  await page.setViewportSize({ width: 1280, height: 740 })
  expect(await cells.first().evaluate((cell) => getComputedStyle(cell, '::before').content)).toBe('none')
})

test('[W-441] R2: a deprecated package is marked, and no deprecated version is recommended', async () => {
  await using visit = await bench.visit()
  const { page } = visit
  await page.goto(packageAddress('com.example.oldtimer'))
  expect(await shows(page.getByText('This package is deprecated'))).toBe(true)
  await page.getByRole('textbox', { name: 'Your tool version' }).fill('6.0')
  expect(await shows(page.getByText('Only version 1.0.0 fits, and it is deprecated'))).toBe(true)
  await page.goto(packageAddress('com.example.blinky'))
  await heading(page, 'Blinky').waitFor()
  expect(await page.getByText('This package is deprecated').count()).toBe(0)
})

test('[W-218] what is not there, or not for this person, says so and leads to the search', async () => {
  await using visit = await bench.visit({ expectedFaults: [/404/] })
  const { page } = visit
  await page.goto(packageAddress('com.example.secret'))
  await heading(page, 'Package not found').waitFor()
  expect(await page.getByRole('main').innerText()).not.toContain('Unreleased')
  await page.goto(packageAddress('not%20an%20identifier'))
  await heading(page, 'Package not found').waitFor()
  await page.getByRole('link', { name: 'Search all packages' }).click()
  expect(await shows(heading(page, 'Packages'))).toBe(true)
})

test('[W-216] whoever may write changes a status along the allowed ways', async () => {
  const { ada, grace, organization } = registry
  await using visit = await bench.visit()
  const { page } = visit
  await signIn(bench.site, page, ada)
  await page.goto(packageAddress('com.example.blinky'))
  const button = page.getByRole('button', { name: 'Change the status of version 3.0.0' })
  await button.click()
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Mark as stable', 'Mark as deprecated'])
  await page.getByRole('menuitem', { name: 'Mark as stable' }).click()
  expect(await shows(row(page, '3.0.0').getByText('Stable'))).toBe(true)
  await button.click()
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Mark as deprecated'])
  await using other = await bench.visit()
  await signIn(bench.site, other.page, grace)
  await other.page.goto(packageAddress('com.example.labs'))
  await other.page.getByRole('link', { name: organization }).waitFor()
  await other.page.getByRole('link', { name: 'Download version 1.0.0' }).waitFor()
  expect(await other.page.getByRole('button', { name: /^Change the status/ }).count()).toBe(0)
})

test('[W-470] R1: whoever may write yanks a version, offers it again and deletes one that nobody has', async () => {
  const { ada } = registry
  const identifier = 'com.example.withdrawn'
  for (const version of ['1.0.0', '2.0.0', '3.0.0']) await publish(bench.site, ada, { identifier, version })
  await using visit = await bench.visit()
  const { page } = visit
  await signIn(bench.site, page, ada)
  await page.goto(packageAddress(identifier))
  await page.getByRole('textbox', { name: 'Your tool version' }).fill('9.0')
  await page.getByRole('button', { name: 'Delete version 3.0.0' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete it' }).click()
  await row(page, '3.0.0').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Yank version 2.0.0' }).click()
  await page.getByRole('alertdialog').getByRole('textbox', { name: 'Reason' }).fill('Deletes boards')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yank it' }).click()
  expect(await shows(row(page, '2.0.0').getByText('Deletes boards'))).toBe(true)
  expect(await row(page, '2.0.0').innerText()).toMatch(/Yanked.*Not offered/s)
  expect(await shows(page.getByText('Version 1.0.0 fits'))).toBe(true)
  await page.getByRole('button', { name: 'Offer version 2.0.0 again' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Offer it again' }).click()
  expect(await shows(page.getByText('Version 2.0.0 fits'))).toBe(true)
  await using other = await bench.visit()
  await other.page.goto(packageAddress(identifier))
  await other.page.getByRole('link', { name: 'Download version 1.0.0' }).waitFor()
  expect(await other.page.getByRole('button', { name: /^(Yank|Delete) version/ }).count()).toBe(0)
})

test('[W-471] R7: an administrator quarantines a package and releases it, and whoever comes meanwhile reads why', async () => {
  const identifier = 'com.example.harmful'
  await publish(bench.site, registry.ada, { identifier, fields: { name: 'Harmful' } })
  // Its archives can still be downloaded then.
  await delist(bench.site, registry.ada, identifier)
  await using visit = await bench.visitAs({ isAdmin: true })
  const { page } = visit
  await page.goto(packageAddress(identifier))
  await page.getByRole('button', { name: 'Quarantine the package' }).click()
  const dialog = page.getByRole('alertdialog')
  expect(await dialog.getByRole('button', { name: 'Quarantine it' }).isDisabled()).toBe(true)
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Steals keys.')
  await dialog.getByRole('button', { name: 'Quarantine it' }).click()
  expect(await shows(page.getByText('This package is quarantined'))).toBe(true)
  await using other = await bench.visit({ expectedFaults: [/451/] })
  await other.page.goto(packageAddress(identifier))
  expect(await shows(other.page.getByText('Steals keys.'))).toBe(true)
  expect(await other.page.getByRole('main').innerText()).not.toContain('Harmful')
  await page.getByRole('button', { name: 'Release it' }).click()
  await dialog.getByRole('button', { name: 'Release it' }).click()
  expect(await shows(page.getByRole('button', { name: 'Quarantine the package' }))).toBe(true)
  await other.page.reload()
  expect(await shows(heading(other.page, 'Harmful'))).toBe(true)
})

test('[W-217] a package is delisted and listed again, each after a question', async () => {
  const { ada } = registry
  await using visit = await bench.visit()
  const { page } = visit
  await signIn(bench.site, page, ada)
  await page.goto(packageAddress('com.example.midnight'))
  await page.getByRole('button', { name: 'Delist the package' }).click()
  await page.getByRole('button', { name: 'Keep it listed' }).click()
  expect(await page.getByText('This package is delisted').count()).toBe(0)
  await page.getByRole('button', { name: 'Delist the package' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delist it' }).click()
  expect(await shows(page.getByText('This package is delisted'))).toBe(true)
  expect(await page.getByText('patchbay install').count()).toBe(0)
  const found = await fetch(`${bench.site.url}/registry/search?q=midnight`)
  expect(await found.json()).toMatchObject({ items: [] })
  await page.getByRole('button', { name: 'List it again' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'List it', exact: true }).click()
  expect(await shows(page.getByText('patchbay install com.example.midnight'))).toBe(true)
  expect(await page.getByText('This package is delisted').count()).toBe(0)
})
