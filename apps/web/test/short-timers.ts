import type { Page } from '@patchbay/testkit/chromium'

/**
 * Long timers that the page itself sets end after half a second, until the returned function is called: a deadline passes
 * without being waited for.
 */
export async function shortenTimers(page: Page, fromMs: number): Promise<() => Promise<void>> {
  await page.evaluate((from) => {
    const usual = globalThis.setTimeout
    const short = (run: () => void, ms = 0) => usual(run, ms >= from ? 500 : ms)
    Object.assign(globalThis, { usual, setTimeout: short })
  }, fromMs)
  return () =>
    page.evaluate(() => void Object.assign(globalThis, { setTimeout: Reflect.get(globalThis, 'usual') }))
}
