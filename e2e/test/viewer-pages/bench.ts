import {
  type Browser,
  type Locator,
  openPage,
  type Page,
  type PageOptions,
  sharedChromium,
  type WatchedPage,
} from '@patchbay/testkit/chromium'
import { waitUntil } from '@patchbay/testkit/processes'
import { buildApp } from '@patchbay/web/test/build-app'
import { beforeAll, onTestFinished } from 'vitest'
import { PHONE, WIDE } from '../pages/viewports.ts'
import { borrowViewer, giveBack, openViewer, type Viewer } from './viewer.ts'

type Route = Parameters<Parameters<Page['route']>[1]>[0]

export { PHONE, WIDE }

export interface VisitOptions extends PageOptions {
  /** Of a viewer of its own, further variables of its configuration. */
  readonly environment?: Readonly<Record<string, string>>
  /** Where the page is opened. */
  readonly path?: string
}

export interface Visit extends WatchedPage {
  readonly viewer: Viewer
  readonly open: (path: string) => Promise<void>
}

/** One browser for a process; a viewer with an empty project, and a profile of its own, for each visit. */
export function useViewers(): { visit(options?: VisitOptions): Promise<Visit>; browser(): Browser } {
  let browser: Browser
  beforeAll(async () => {
    // Here and not in the first test, which has less time.
    await buildApp()
    browser = await sharedChromium()
  }, 120_000)
  return {
    browser: () => browser,
    async visit({ path = '/screenshot-paste', environment, ...options } = {}) {
      await using cleanup = new AsyncDisposableStack()
      const viewer =
        environment === undefined ? await borrow() : cleanup.use(await openViewer({ environment }))
      const watched = cleanup.use(await openPage(browser, { viewport: WIDE, ...options }))
      // Before the test's own deadline, so that it is told what was waited for.
      watched.page.setDefaultTimeout(15_000)
      const open = async (to: string) => {
        await watched.page.goto(viewer.url + to)
        await watched.page.getByText(/^(?:Active page|Not the active page)$/).waitFor()
      }
      await open(path)
      const owned = cleanup.move()
      return { ...watched, viewer, open, [Symbol.asyncDispose]: () => owned.disposeAsync() }
    },
  }
}

async function borrow(): Promise<Viewer> {
  const viewer = await borrowViewer()
  onTestFinished(async ({ task }) => {
    // Whatever state it is in then, the next test must not begin with it.
    if (task.result?.state === 'fail') await viewer[Symbol.asyncDispose]()
    else await giveBack(viewer)
  })
  return viewer
}

/** What this page has taken in, the latest first. */
export const ownPictures = (page: Page) =>
  page.getByRole('list', { name: 'Added here' }).getByRole('listitem')
export const earlierPictures = (page: Page) =>
  page.getByRole('list', { name: /^(?:Earlier|Latest) pastes$/ }).getByRole('listitem')

/** Waits until it is there to be seen; `false` after the deadline. */
export async function shows(locator: Locator): Promise<boolean> {
  return await locator.waitFor().then(
    () => true,
    () => false,
  )
}

/** The path that a picture in the list says it is saved at, once it is. */
export async function pathOf(picture: Locator): Promise<string> {
  await picture.getByRole('button', { name: /^Copy path/ }).waitFor()
  return await picture.locator('code').innerText()
}

/** Waits until this page has so many that are saved. */
export async function allSaved(page: Page, count: number): Promise<void> {
  const copies = ownPictures(page).getByRole('button', { name: /^Copy path/ })
  // One after the other: many take their time on a busy machine.
  await copies.nth(count - 1).waitFor({ timeout: 15_000 + count * 3_000 })
}

/** Stops the viewer, and waits until the page has tried in vain to reach it. */
export async function stopUnderPage(visit: Visit): Promise<void> {
  const { viewer, page } = visit
  const before = visit.faults().length
  await viewer.stop()
  await page.getByText('Reconnecting').waitFor()
  await waitUntil('the page has tried in vain', () =>
    visit
      .faults()
      .slice(before)
      .some((fault) => REFUSED.test(fault)),
  )
}

/** What a browser notes when nobody listens at an address. */
export const REFUSED = /ERR_CONNECTION_REFUSED/

/** Takes hold of the uploads of a page; the list has the same address. */
export async function onUpload(page: Page, handle: (route: Route) => Promise<void>, times?: number) {
  await page.route(
    (url) => url.pathname === '/api/pastes',
    async (route) => {
      if (route.request().method() === 'POST') await handle(route)
      else await route.fallback()
    },
    times === undefined ? {} : { times },
  )
}

/** Takes hold of what the viewer answers to uploads: they are sent and saved, and the page does not know it yet. */
export async function onUploadAnswer(page: Page, decide: () => Promise<'pass' | 'lose'>): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  devtools.on('Fetch.requestPaused', ({ requestId, request }) => {
    const go = async () => {
      const isLost = request.method === 'POST' && (await decide()) === 'lose'
      if (isLost) await devtools.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' })
      else await devtools.send('Fetch.continueResponse', { requestId })
    }
    // The page may be gone by then.
    go().catch(() => undefined)
  })
  await devtools.send('Fetch.enable', {
    patterns: [{ urlPattern: '*/api/pastes*', requestStage: 'Response' }],
  })
}
