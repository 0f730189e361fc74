import {
  type Browser,
  type Locator,
  openPage,
  type PageOptions,
  startChromium,
  type WatchedPage,
} from '@patchbay/testkit/chromium'
import { afterAll, beforeAll } from 'vitest'
import { buildApp } from './build-app.ts'
import { ABOUT_PATH, answerAbout, answerNobody, type Site, serveApp } from './site.ts'

export const PAGES = [
  '/',
  '/workspaces',
  '/packages',
  '/account',
  '/account/people',
  '/approve',
  '/sign-in',
  '/sign-up?with=passkey',
  '/welcome',
  '/components',
  '/no/such/page',
] as const
export const WIDE = { width: 1280, height: 800 }
export const PHONE = { width: 390, height: 844 }

export interface VisitOptions extends PageOptions {
  /** Sent with every answer, over those the site sends itself. */
  headers?: Record<string, string>
}

export interface Visit extends WatchedPage {
  readonly site: Site
  /** Goes to a path and waits for the page's heading. */
  open(path: string): Promise<void>
}

/** One browser and one build for a test file; a site and a profile of its own for each visit. */
export function useBench(): { visit(path: string, options?: VisitOptions): Promise<Visit> } {
  let browser: Browser
  let folder: string
  beforeAll(async () => {
    folder = await buildApp()
    browser = await startChromium()
  })
  afterAll(() => browser.close())

  return {
    async visit(path, { headers, ...pageOptions } = {}) {
      await using cleanup = new AsyncDisposableStack()
      const site = cleanup.use(await serveApp(folder, headers))
      site.answer(ABOUT_PATH, answerAbout)
      answerNobody(site, headers)
      const watched = cleanup.use(await openPage(browser, { viewport: WIDE, ...pageOptions }))
      const open = async (to: string) => {
        await watched.page.goto(site.url + to)
        await watched.page.getByRole('heading', { level: 1 }).waitFor()
      }
      await open(path)
      const owned = cleanup.move()
      return { ...watched, site, open, [Symbol.asyncDispose]: () => owned.disposeAsync() }
    },
  }
}

/** Waits until it is there to be seen; `false` after the deadline. */
export async function shows(locator: Locator): Promise<boolean> {
  return await locator.waitFor({ timeout: 10_000 }).then(
    () => true,
    () => false,
  )
}
