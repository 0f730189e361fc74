import {
  type Browser,
  type ChromiumOptions,
  type Locator,
  openPage,
  type Page,
  type PageOptions,
  sharedChromium,
  type WatchedPage,
} from '@patchbay/testkit/chromium'
import { beforeAll } from 'vitest'
import { type Account, makeAccount, newHandle } from '../installation/accounts.ts'
import { PHONE, WIDE } from '../pages/viewports.ts'
import { signIn } from './people.ts'
import { type Site, type SiteOptions, sharedSite } from './site.ts'

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

/**
 * One installation and one browser for all test files of a process that ask for the same; a profile, and a person, of its
 * own for each test. So a test neither counts what is there nor uses a handle that others may use.
 */
export function useBench({ chromium, ...options }: BenchOptions = {}): Bench {
  let site: Site
  let browser: Browser
  beforeAll(async () => {
    ;[site, browser] = await Promise.all([sharedSite(options), sharedChromium(chromium)])
  })
  // Nothing moves unless a test is about that: a dialog that slides away, or a page that glides, is waited for each time.
  const visit = (page: PageOptions = {}) =>
    openPage(browser, { viewport: WIDE, reducedMotion: 'reduce', ...page })
  return {
    get site() {
      return site
    },
    visit,
    async visitAs({ isAdmin = false, ...page } = {}) {
      const handle = newHandle()
      const account = await makeAccount(site, handle, { isAdmin, name: handle.replace('ada-', 'Ada ') })
      const watched = await visit(page)
      await signIn(site, watched.page, account)
      return { ...watched, account }
    },
  }
}

export { PHONE, WIDE }

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
