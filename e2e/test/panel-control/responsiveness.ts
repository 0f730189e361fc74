import type { Locator, Page } from '@patchbay/testkit/chromium'

export interface Responsiveness {
  /** Between two frames that the page draws, during half a second. */
  readonly longestFrameMs: number
  /** From a click on a tab until it is the selected one. */
  readonly clickMs: number
}

const WATCHED_MS = 500

/** Measured inside the page, so that the way to the browser and back does not count. */
export async function responsiveness(page: Page, tab: Locator): Promise<Responsiveness> {
  const longestFrameMs = await page.evaluate(
    (watchedMs) =>
      new Promise<number>((resolve) => {
        const begun = performance.now()
        let [last, longest] = [begun, 0]
        const frame = () => {
          const now = performance.now()
          longest = Math.max(longest, now - last)
          last = now
          if (now - begun > watchedMs) resolve(longest)
          else requestAnimationFrame(frame)
        }
        requestAnimationFrame(frame)
      }),
    WATCHED_MS,
  )
  const selected = tab.evaluate(
    (element) =>
      new Promise<number>((resolve) => {
        let pressedAt = Number.NaN
        addEventListener('pointerdown', ({ timeStamp }) => (pressedAt = timeStamp), { capture: true })
        new MutationObserver(() => {
          if (element.getAttribute('aria-selected') === 'true') resolve(performance.now() - pressedAt)
        }).observe(element, { attributes: true })
      }),
  )
  await tab.click()
  return { longestFrameMs, clickMs: await selected }
}
