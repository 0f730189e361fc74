import {
  type Locator,
  openPage,
  type Page,
  type PageOptions,
  sharedChromium,
  type WatchedPage,
} from '@patchbay/testkit/chromium'
import { afterAll, beforeAll, expect, onTestFailed } from 'vitest'
import { buildApp } from './build-app.ts'
import { ABOUT_PATH, answerAbout, answerNobody, type Site, serveApp, untilTheEnd } from './site.ts'

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
  /** As in a browser that has no WebGL. Without a graphics card a page that draws with it opens in twice the time. */
  withoutWebGl?: boolean
  /** Sent with every answer, over those the site sends itself. */
  headers?: Record<string, string>
}

export interface ShareOptions extends Omit<VisitOptions, 'headers'> {
  /** Without leaving the page that is there: for a test that begins with nothing of what another one changes on it. */
  asLeft?: boolean
}

export interface Visit extends WatchedPage {
  readonly site: Site
  /** Goes to a path and waits for the page's heading. */
  open(path: string): Promise<void>
  /** Goes there inside the app, as a link does. */
  walk(path: string): Promise<void>
}

export interface Bench {
  /** Loads the app in a profile of its own, from a site of its own. */
  visit(path: string, options?: VisitOptions): Promise<Visit>
  /**
   * A page that the tests of the file share with the same options, led to the path inside the app: loading it takes ten
   * times as long. What the test answers and leaves open ends with the visit; what it stores, it puts back.
   */
  share(path: string, options?: ShareOptions): Promise<Visit>
}

/** One build for all test files, and the browser of their process. `tolerated` are faults of the browser that come or do not. */
export function useBench({ tolerated }: { readonly tolerated?: RegExp } = {}): Bench {
  let folder: string
  const shared = new Map<string, Visit>()
  beforeAll(async () => {
    folder = await buildApp()
  }, 120_000)
  afterAll(async () => {
    for (const { page, site } of shared.values()) {
      await page.context().close()
      await site[Symbol.asyncDispose]()
    }
  })

  async function visit(
    path: string,
    { headers, withoutWebGl = false, ...pageOptions }: VisitOptions = {},
  ): Promise<Visit> {
    await using cleanup = new AsyncDisposableStack()
    const site = cleanup.use(await serveApp(folder, headers))
    site.answer(ABOUT_PATH, answerAbout)
    answerNobody(site, headers)
    const watched = cleanup.use(await openPage(await sharedChromium(), { viewport: WIDE, ...pageOptions }))
    if (withoutWebGl) await watched.page.addInitScript(removeWebGl)
    const open = async (to: string) => {
      await watched.page.goto(site.url + to)
      await watched.page.getByRole('heading', { level: 1 }).waitFor()
    }
    await open(path)
    const owned = cleanup.move()
    const walk = (to: string) => walkTo(watched.page, to)
    return { ...watched, site, open, walk, [Symbol.asyncDispose]: () => owned.disposeAsync() }
  }

  return {
    visit,
    async share(path, { expectedFaults = [], asLeft = false, ...options } = {}) {
      const key = JSON.stringify(options)
      const known = shared.get(key)
      const whole = known ?? (await visit(path, options))
      shared.set(key, whole)
      // Whatever state it is in now, the next test must not begin with it.
      onTestFailed(async () => {
        shared.delete(key)
        await whole.page.context().close()
      })
      const before = whole.faults().length
      if (known !== undefined && !(asLeft && isAt(whole.page, path))) await whole.walk(path)
      const faults = () =>
        whole
          .faults()
          .slice(before)
          .filter((fault) => tolerated?.test(fault) !== true)
      const { site, end } = untilTheEnd(whole.site)
      return {
        ...whole,
        site,
        faults,
        async [Symbol.asyncDispose]() {
          end()
          await closeOverlay(whole.page)
          await assertFaults(whole.page, faults, expectedFaults)
        },
      }
    },
  }
}

/** What is left open would lie over the page of the next test. */
async function closeOverlay(page: Page): Promise<void> {
  const overlay = page.locator('[role=dialog], [role=menu], [role=listbox]').first()
  if (!(await overlay.isVisible())) return
  await page.keyboard.press('Escape')
  await overlay.waitFor({ state: 'detached' })
}

/** That what was expected happened on a page that stays open, and nothing else. */
export async function assertFaults(
  page: Page,
  faults: () => readonly string[],
  expected: readonly RegExp[],
): Promise<void> {
  // What the page has reported by now is known here once it has answered.
  await page.evaluate(() => undefined)
  const missing = () => expected.filter((pattern) => !faults().some((fault) => pattern.test(fault)))
  await expect.poll(missing).toEqual([])
  expect(faults().filter((fault) => !expected.some((pattern) => pattern.test(fault)))).toEqual([])
}

function removeWebGl(): void {
  // oxlint-disable-next-line typescript/unbound-method -- called with its canvas below
  const get = HTMLCanvasElement.prototype.getContext as (kind: string, ...more: unknown[]) => unknown
  Object.assign(HTMLCanvasElement.prototype, {
    getContext(this: HTMLCanvasElement, kind: string, ...more: unknown[]) {
      return kind.startsWith('webgl') ? null : get.call(this, kind, ...more)
    },
  })
}

function isAt(page: Page, path: string): boolean {
  return new URL(page.url()).pathname === new URL(path, page.url()).pathname
}

/** Goes to a path inside the app, as a link does, and waits until its page is there. */
async function walkTo(page: Page, path: string): Promise<void> {
  // A page that stays keeps its state.
  if (isAt(page, path)) await walkTo(page, isAt(page, '/') ? '/elsewhere' : '/')
  const before = await page.title()
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await page.waitForFunction(
    (old) => document.title !== old && document.querySelectorAll('h1').length === 1,
    before,
  )
}

/** Waits until it is there to be seen; `false` after the deadline. */
export async function shows(locator: Locator): Promise<boolean> {
  return await locator.waitFor({ timeout: 10_000 }).then(
    () => true,
    () => false,
  )
}
