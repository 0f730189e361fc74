import type { Page } from '@patchbay/testkit/chromium'
import { type Account, openSession, sessionCookie } from '../installation/accounts.ts'
import type { Site } from './site.ts'

/** Signs a browser in, for tests that are about something else than signing in. */
export async function signIn(site: Site, page: Page, account: Account): Promise<string> {
  const token = await openSession(site, account)
  // Chromium takes a `__Host-` cookie for https alone, and then sends it to http on localhost as well.
  const url = site.url.replace('http:', 'https:')
  await page.context().addCookies([{ ...sessionCookie(token), url, secure: true }])
  return token
}
