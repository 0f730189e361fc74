import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { complaints, overflowing, smallControls } from '@patchbay/web/test/complaints'
import { beforeAll, expect } from 'vitest'
import { PHONE, useBench, WIDE } from '../identity-pages/bench.ts'
import { signIn } from '../identity-pages/people.ts'
import { metadataOf } from './archives.ts'
import { zipOfMetadata } from './broken-archive.ts'
import { type Furnished, sharedRegistry } from './furnish.ts'
import { publish } from './publishing.ts'

const bench = useBench()
let registry: Furnished
beforeAll(async () => {
  registry = await furnishWithLongNames()
})
const LONG = 'Averylongnamewithoutanyblankthatsomebodygavetheirpackagebecausenobodystoppedthem'

async function furnishWithLongNames(): Promise<Furnished> {
  const furnished = await sharedRegistry(bench.site)
  await publish(bench.site, furnished.ada, {
    identifier: `com.example.${LONG.toLowerCase()}`,
    fields: {
      name: LONG,
      description: LONG,
      description_full: LONG,
      resources: { [LONG.slice(0, 40)]: `https://example.com/${LONG}` },
    },
  })
  return furnished
}

interface Look {
  readonly name: string
  readonly isSignedIn: boolean
  open(page: Page, furnished: Furnished): Promise<void>
  readonly faults?: readonly RegExp[]
}

const LOOKS: readonly Look[] = [
  {
    name: 'the catalog with a bad filter',
    isSignedIn: false,
    open: async (page) => {
      await page.goto(`${bench.site.url}/packages`)
      await page.getByRole('list', { name: 'Packages' }).waitFor()
      await page.getByRole('textbox', { name: 'Tool version' }).fill('x')
      await page.getByText('One to three numbers').waitFor()
    },
  },
  {
    name: 'a search that finds nothing',
    isSignedIn: false,
    open: async (page) => {
      await page.goto(`${bench.site.url}/packages?q=zzzz&tag=led`)
      await page.getByText('No packages match your search').waitFor()
    },
  },
  {
    name: 'a package with everything',
    isSignedIn: true,
    open: async (page) => {
      await page.goto(`${bench.site.url}/packages/com.example.blinky`)
      await page.getByRole('textbox', { name: 'Your tool version' }).fill('8.0')
      await page.getByRole('button', { name: 'Change the status of version 2.0.0' }).waitFor()
    },
  },
  {
    name: 'a package with long names',
    isSignedIn: false,
    open: async (page) => {
      await page.goto(`${bench.site.url}/packages/com.example.${LONG.toLowerCase()}`)
      await page.getByRole('heading', { level: 1, name: LONG }).waitFor()
    },
  },
  {
    name: 'a private package',
    isSignedIn: true,
    open: async (page) => {
      await page.goto(`${bench.site.url}/packages/com.example.secret`)
      await page.getByText('It needs an API key').waitFor()
    },
  },
  {
    name: 'a delisted package',
    isSignedIn: true,
    open: async (page) => {
      await page.goto(`${bench.site.url}/packages/com.example.retired`)
      await page.getByRole('button', { name: 'List it again' }).waitFor()
    },
  },
  {
    name: 'no such package',
    isSignedIn: false,
    faults: [/404/],
    open: async (page) => {
      await page.goto(`${bench.site.url}/packages/com.example.nothing`)
      await page.getByRole('heading', { name: 'Package not found', exact: true }).waitFor()
    },
  },
  {
    name: 'a publisher, for strangers',
    isSignedIn: false,
    open: async (page, { ada }) => {
      await page.goto(`${bench.site.url}/publishers/${ada.handle}`)
      await page.getByRole('link', { name: 'Blinky' }).first().waitFor()
    },
  },
  {
    name: 'a publisher, for members',
    isSignedIn: true,
    open: async (page, { ada }) => {
      await page.goto(`${bench.site.url}/publishers/${ada.handle}`)
      await page.getByRole('list', { name: /^All packages/ }).waitFor()
      await page.getByRole('list', { name: /^Changes to/ }).waitFor()
    },
  },
  {
    name: 'a refused publication',
    isSignedIn: true,
    faults: [/422/],
    open: async (page, { ada }) => {
      await page.goto(`${bench.site.url}/publishers/${ada.handle}`)
      await page.getByRole('button', { name: 'Publish' }).click()
      const buffer = Buffer.from(zipOfMetadata(metadataOf({ fields: { license: 'MTI' } })))
      const file = { name: `${LONG}.zip`, mimeType: 'application/zip', buffer }
      await page.locator('input[type=file]').setInputFiles(file)
      await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
      await page.getByRole('list', { name: 'Findings' }).waitFor()
    },
  },
]

async function openLook(look: Look, colorScheme: 'light' | 'dark' = 'light') {
  const visit = await bench.visit({
    colorScheme,
    reducedMotion: 'reduce',
    hasTouch: true,
    expectedFaults: look.faults ?? [],
  })
  const { page } = visit
  if (look.isSignedIn) await signIn(bench.site, page, registry.ada)
  await look.open(page, registry)
  return visit
}

async function expectToFit(page: Page, widths: readonly number[]): Promise<void> {
  expect(await page.evaluate(smallControls)).toEqual([])
  for (const width of widths) {
    await page.setViewportSize({ width, height: 700 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    expect(await page.evaluate(overflowing)).toEqual([])
  }
}

/** The fullest of each kind, the themes and widths in turn. */
const CROSS_SECTION = new Set(['a package with everything', 'a refused publication'])

test.each(LOOKS.filter(({ name }) => CROSS_SECTION.has(name)).map((look, index) => ({ ...look, index })))(
  '[W-232] $name: for everyone',
  async ({ index, ...look }) => {
    await using visit = await openLook(look, index % 2 === 0 ? 'light' : 'dark')
    const { page } = visit
    const within = '#root, [data-overlay]'
    if (index % 4 < 2) await page.setViewportSize(PHONE)
    expect(await complaints(page, { within })).toEqual([])
    await page.setViewportSize(PHONE)
    await expectToFit(page, [320])
  },
)

deepTest.each(LOOKS)('[W-232] $name: for everyone, in both themes, wide and narrow', async (look) => {
  await using visit = await openLook(look)
  const { page } = visit
  const within = '#root, [data-overlay]'
  for (const viewport of [WIDE, PHONE]) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await complaints(page, { within })).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await complaints(page, { within, contrastOnly: true })).toEqual([])
  }
  await expectToFit(page, [390, 320])
})
