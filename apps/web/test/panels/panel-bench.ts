import { WORKSPACE_CSP } from '@patchbay/contracts'
import {
  type Browser,
  openPage,
  type Page,
  type PageOptions,
  startChromium,
  type WatchedPage,
} from '@patchbay/testkit/chromium'
import { afterAll, beforeAll } from 'vitest'
import { type Site, serveApp } from '../site.ts'
import type { Mounting } from './bench/mount.ts'
import { buildBench } from './build-bench.ts'
import { answerSandbox } from './sites.ts'

export const WIDE = { width: 900, height: 560 }
/** For what is waited for: on a machine that others use a second is nothing. */
export const soon = { timeout: 20_000 }
export const NARROW = { width: 240, height: 560 }

export interface PanelVisit extends WatchedPage {
  readonly site: Site
  /** As the server tells it after somebody else changed something; answers the new revision. */
  patch(patch: Record<string, unknown>): Promise<number>
  /** What the panel has stored so far, one patch after the other. */
  stored(): Promise<Record<string, unknown>[]>
}

export interface PanelBenchOptions {
  /** Flags of the browser. */
  readonly args?: readonly string[]
  /** Faults of the browser itself, which come or do not. */
  readonly tolerated?: RegExp
}

export interface ShowOptions extends PageOptions {
  readonly prepare?: (site: Site) => void
  readonly alsoTolerated?: RegExp
}

/** One browser and one build for a test file; a page with one panel for each visit. */
export function usePanelBench({ args = [], tolerated }: PanelBenchOptions = {}) {
  let browser: Browser
  let folder: string
  beforeAll(async () => {
    folder = await buildBench()
    browser = await startChromium({ args })
  }, 120_000)
  afterAll(() => browser.close())

  return {
    async show(
      mounting: Mounting,
      { prepare, alsoTolerated, ...options }: ShowOptions = {},
    ): Promise<PanelVisit> {
      await using cleanup = new AsyncDisposableStack()
      const site = cleanup.use(await serveApp(folder, { 'content-security-policy': WORKSPACE_CSP }))
      answerSandbox(site)
      prepare?.(site)
      const watched = await openPage(browser, { viewport: WIDE, ...options })
      cleanup.defer(async () => {
        const patterns = [tolerated, alsoTolerated].filter((pattern) => pattern !== undefined)
        if (patterns.length === 0) return await watched[Symbol.asyncDispose]()
        await watched.page.context().close()
        const faults = watched.faults().filter((fault) => !patterns.some((pattern) => pattern.test(fault)))
        if (faults.length > 0) throw new Error(`the page had faults:\n- ${faults.join('\n- ')}`)
      })
      await watched.page.goto(site.url)
      await mount(watched.page, mounting)
      const owned = cleanup.move()
      return {
        ...watched,
        site,
        patch: (patch) => watched.page.evaluate((given) => bench.patch(given), patch),
        stored: () => watched.page.evaluate(() => bench.stored as Record<string, unknown>[]),
        [Symbol.asyncDispose]: () => owned.disposeAsync(),
      }
    },
  }
}

async function mount(page: Page, mounting: Mounting): Promise<void> {
  await page.waitForFunction(() => 'bench' in globalThis)
  await page.evaluate((given) => bench.mount(given), mounting)
}
