// The pictures of the pages of packages, taken anew: `node e2e/test/packages-pages/take-pictures.ts`.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPage, type Page, screenshot, startChromium } from '@patchbay/testkit/chromium'
import { startPostgres } from '@patchbay/testkit/postgres'
import { signIn } from '../identity-pages/people.ts'
import { type Site, startSite } from '../identity-pages/site.ts'
import { type ArchiveWish, metadataOf } from './archives.ts'
import { zipOfMetadata } from './broken-archive.ts'
import { type Furnished, furnish } from './furnish.ts'

const FOLDER = process.argv[2] ?? fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))
const DESK = { width: 1280, height: 800 }
const LOOKS = [
  { look: 'light', options: { viewport: DESK, colorScheme: 'light' } },
  { look: 'dark', options: { viewport: DESK, colorScheme: 'dark' } },
  { look: 'phone', options: { viewport: { width: 390, height: 844 }, colorScheme: 'light' } },
] as const
const BROKEN: ArchiveWish = { fields: { license: 'MTI', tags: ['Not a tag'], type: 'plugins' } }

/** Leads a page to the state that the picture shows. */
type Scene = (site: Site, page: Page, furnished: Furnished) => Promise<void>

const SCENES: Record<string, Scene> = {
  catalog: async (site, page) => {
    await page.goto(`${site.url}/packages`)
    await page.getByRole('list', { name: 'Packages' }).waitFor()
    await page.getByRole('button', { name: 'Copy: Repository address' }).waitFor()
  },
  'catalog-nothing': async (site, page) => {
    await page.goto(`${site.url}/packages?q=nothing+like+this&platform=macos`)
    await page.getByText('No packages match your search').waitFor()
    await page.getByRole('button', { name: 'Copy: Repository address' }).waitFor()
  },
  package: async (site, page) => {
    await page.goto(`${site.url}/packages/com.example.blinky`)
    await page.getByRole('textbox', { name: 'Your tool version' }).fill('8.0')
    await page.getByText('Version 2.0.0 fits').waitFor()
  },
  'package-owner': signedIn(async (site, page) => {
    await page.goto(`${site.url}/packages/com.example.retired`)
    await page.getByRole('button', { name: 'List it again' }).waitFor()
  }),
  'package-private': signedIn(async (site, page) => {
    await page.goto(`${site.url}/packages/com.example.secret`)
    await page.getByText('It needs an API key').waitFor()
    await page.getByRole('button', { name: 'Delist the package' }).waitFor()
  }),
  publisher: async (site, page, { ada }) => {
    await page.goto(`${site.url}/publishers/${ada.handle}`)
    await page.getByRole('list', { name: /^Packages of/ }).waitFor()
    await page.getByRole('button', { name: /^Copy: Repository address/ }).waitFor()
  },
  'trusted-publisher': signedIn(async (site, page, { ada }) => {
    await page.goto(`${site.url}/publishers/${ada.handle}`)
    const section = page.getByRole('region', { name: 'Trusted publishers' })
    await section.getByRole('button', { name: 'Add' }).click()
    const dialog = page.getByRole('dialog')
    const fill = async () => {
      await dialog.getByRole('textbox', { name: 'Package identifier' }).fill('com.example.blinky')
      await dialog.getByRole('textbox', { name: 'Repository' }).fill('acme/blinky')
    }
    const add = dialog.getByRole('button', { name: 'Add it' })
    await fill()
    if ((await section.getByText('No trusted publishers yet.').count()) > 0) {
      await add.click()
      await section.getByText('acme/blinky').waitFor()
      await section.getByRole('button', { name: 'Add' }).click()
      await fill()
    }
  }),
  'publisher-own': signedIn(async (site, page, { ada }) => {
    await page.goto(`${site.url}/publishers/${ada.handle}`)
    await page.getByRole('list', { name: /^All packages/ }).waitFor()
    await page.getByRole('list', { name: /^Changes to/ }).waitFor()
  }),
  publish: signedIn(async (site, page, { ada }) => {
    await page.goto(`${site.url}/publishers/${ada.handle}`)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('dialog').getByText('Drop the zip file here').waitFor()
  }),
  'publish-refused': signedIn(async (site, page, { ada }) => {
    await page.goto(`${site.url}/publishers/${ada.handle}`)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    const buffer = Buffer.from(zipOfMetadata(metadataOf(BROKEN)))
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'blinky.zip', mimeType: 'application/zip', buffer })
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('list', { name: 'Findings' }).waitFor()
  }),
}

function signedIn(scene: Scene): Scene {
  return async (site, page, furnished) => {
    await signIn(site, page, furnished.ada)
    await scene(site, page, furnished)
  }
}

/** Icons come when they are near the screen; a picture of the whole page wants all of them. */
async function showImages(): Promise<void> {
  await Promise.all(
    Array.from(document.images, (image) => {
      image.loading = 'eager'
      return image.decode()
    }),
  )
}

await using browser = await startChromium()
await using postgres = await startPostgres()
const ciServices = [
  { id: 'github', name: 'GitHub', issuer: 'https://token.actions.githubusercontent.com', kind: 'github' },
]
await using site = await startSite({
  databaseUrl: await postgres.createDatabase('pictures'),
  environment: { PATCHBAY_CI_ISSUERS: JSON.stringify(ciServices) },
})
const furnished = await furnish(site)
for (const { look, options } of LOOKS) {
  for (const [name, scene] of Object.entries(SCENES)) {
    const { page } = await openPage(browser, { ...options, reducedMotion: 'reduce', timezoneId: 'UTC' })
    await scene(site, page, furnished)
    // The bar at the top stays where it is when the page is scrolled, and would stand in the middle of the picture.
    await page.evaluate(() => scrollTo(0, 0))
    await page.evaluate(showImages)
    await screenshot(page, join(FOLDER, `packages-${name}-${look}.png`), {
      fullPage: !name.startsWith('publish-') && name !== 'publish' && name !== 'trusted-publisher',
    })
    await page.context().close()
  }
}
