import {
  type Browser,
  type ChromiumOptions,
  type Locator,
  openPage,
  type Page,
  type PageOptions,
  startChromium,
  type WatchedPage,
} from '@patchbay/testkit/chromium'
import { afterAll, beforeAll } from 'vitest'
import { type Account, makeAccount } from '../installation/accounts.ts'
import { signIn } from './people.ts'
import { type Site, type SiteOptions, startSite } from './site.ts'

export interface Bench {
  readonly site: Site
  /** A browser of its own that nobody is signed in with. */
  visit(options?: PageOptions): Promise<WatchedPage>
  /** The same, signed in as somebody new. */
  visitAs(
    options?: PageOptions & { readonly isAdmin?: boolean },
  ): Promise<WatchedPage & { readonly account: Account }>
}

export interface BenchOptions extends SiteOptions {
  readonly chromium?: ChromiumOptions
}

/** One installation and one browser for a test file; a profile, and a person, of its own for each test. */
export function useBench({ chromium, ...options }: BenchOptions = {}): Bench {
  let site: Site
  let browser: Browser
  let count = 0
  beforeAll(async () => {
    site = await startSite(options)
    browser = await startChromium(chromium)
  })
  afterAll(async () => {
    await browser.close()
    await site[Symbol.asyncDispose]()
  })
  const visit = (page: PageOptions = {}) => openPage(browser, { viewport: WIDE, ...page })
  return {
    get site() {
      return site
    },
    visit,
    async visitAs({ isAdmin = false, ...page } = {}) {
      count += 1
      const account = await makeAccount(site, `ada-${count}`, { isAdmin, name: `Ada ${count}` })
      const watched = await visit(page)
      await signIn(site, watched.page, account)
      return { ...watched, account }
    },
  }
}

export const WIDE = { width: 1280, height: 900 }
export const PHONE = { width: 390, height: 844 }

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true })

/** Waits until it is there to be seen; `false` after the deadline. */
export async function shows(locator: Locator): Promise<boolean> {
  return await locator
    .first()
    .waitFor({ timeout: 10_000 })
    .then(
      () => true,
      () => false,
    )
}

/** A device that makes and keeps passkeys, and whose owner always agrees. */
export async function plugInAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
