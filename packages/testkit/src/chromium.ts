import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { type FaultWatch, watchFaults } from './chromium-faults.ts'

export type { Browser, Locator, Page } from 'playwright-core'

export interface ChromiumOptions {
  /** Default: `$CHROMIUM_PATH`, else where the distributions put it. */
  executablePath?: string
  headless?: boolean
  /**
   * Not the one without windows, although nobody is to see it: that one can share nothing, keeps no connections ahead of time,
   * and runs sandboxed frames in the process of their page.
   */
  isWhole?: boolean
  /** Flags beyond those that keep it quiet, such as the ones that accept a screen capture. */
  args?: readonly string[]
}

const USUAL_PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome-stable']
/** The same engine without windows: a new profile costs it half of what the whole browser spends on an unseen one. */
const WINDOWLESS_PATHS = ['/usr/lib/chromium/chromium-headless-shell']

const QUIET_FLAGS = [
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // Nothing but loopback has a name here: neither a page nor the browser itself can reach further.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]',
]

/** Where Chromium is, or undefined. One that shows nothing is preferred where nobody is to see it. */
export function findChromium({
  headless = true,
  isWhole = false,
}: Pick<ChromiumOptions, 'headless' | 'isWhole'> = {}): string | undefined {
  const paths = headless && !isWhole ? [...WINDOWLESS_PATHS, ...USUAL_PATHS] : USUAL_PATHS
  return process.env['CHROMIUM_PATH'] ?? paths.find((path) => existsSync(path))
}

/** A real Chromium that reaches loopback only. `await using` ends it. */
export async function startChromium(options: ChromiumOptions = {}): Promise<Browser> {
  const executablePath = options.executablePath ?? findChromium(options)
  if (executablePath === undefined)
    throw new Error('no Chromium found: install the package or set CHROMIUM_PATH')
  return await chromium.launch({
    executablePath,
    headless: options.headless ?? true,
    // Its sandbox refuses to start as root.
    chromiumSandbox: process.getuid?.() !== 0,
    // Its driver would hear the signal that ends a test process and not end it: what else is to be removed at its end stays.
    handleSIGTERM: false,
    args: [...QUIET_FLAGS, ...(options.args ?? [])],
  })
}

const shared = new Map<string, Promise<Browser>>()

/**
 * The browser that all test files of a process share, one for each set of options: a profile of its own costs a test next
 * to nothing, a start of the browser half a second. It ends with the process; nobody closes it.
 */
export async function sharedChromium(options: ChromiumOptions = {}): Promise<Browser> {
  const key = JSON.stringify(options)
  const known = shared.get(key)
  // One that did not start, or has ended, is nobody's to use.
  const isUsable = await known?.then(
    (browser) => browser.isConnected(),
    () => false,
  )
  if (known !== undefined && isUsable === true) return await known
  const newer = shared.get(key)
  if (newer !== undefined && newer !== known) return await newer
  const started = startChromium(options)
  shared.set(key, started)
  return await started
}

export interface PageOptions extends BrowserContextOptions {
  /** Faults that the test provokes on purpose. Each must happen, or the test fails as well. */
  expectedFaults?: readonly RegExp[]
}

export interface WatchedPage extends AsyncDisposable, FaultWatch {
  readonly page: Page
}

/**
 * A page in a profile of its own. Closing it fails if anything went wrong meanwhile that a person would find in
 * the developer tools: console errors and warnings, uncaught errors, CSP violations, requests beyond loopback.
 * Without transitions unless a test asks for them: what is to be pressed must stand still first, which slows every click.
 */
export async function openPage(browser: Browser, options: PageOptions = {}): Promise<WatchedPage> {
  const { expectedFaults = [], ...contextOptions } = options
  const context = await browser.newContext({ reducedMotion: 'reduce', ...contextOptions })
  const watch = await watchFaults(context, expectedFaults)
  const page = await context.newPage()
  return {
    page,
    ...watch,
    async [Symbol.asyncDispose]() {
      await context.close()
      watch.assertNoFaults()
    },
  }
}

/** Saves what the page shows, with animations at their end and no blinking caret. */
export async function screenshot(
  page: Page,
  path: string,
  options: { fullPage?: boolean } = {},
): Promise<void> {
  await page.screenshot({ path, fullPage: options.fullPage ?? false, animations: 'disabled', caret: 'hide' })
}
