import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from '@patchbay/testkit/chromium'
import type { AxeResults } from 'axe-core'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

export interface Check {
  /** Where to look; the whole page without it. */
  within?: string
  /** Only what a theme can spoil. */
  contrastOnly?: boolean
  /** Whether frames are asked too. One of another origin does not answer, and is waited for. */
  hasFrames?: boolean
}

/** What the checker complains about: rule, place and reason. */
export async function complaints(
  page: Page,
  { within = 'html', contrastOnly = false, hasFrames = true }: Check = {},
): Promise<string[]> {
  // A page that is checked twice has it already: to read it takes as long as to check a small page.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await readFile(AXE, 'utf8'))
  const options = {
    resultTypes: ['violations'],
    iframes: hasFrames,
    ...(contrastOnly ? { runOnly: ['color-contrast'] } : {}),
  }
  const results = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)})`,
  )
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message}`),
  )
}

/** Boxes whose content sticks out to the right, where the page's next box would cover it. */
export function overflowing(within: unknown = 'body'): string[] {
  return [...document.querySelectorAll(`${String(within)} *`)]
    .filter((box) => box instanceof HTMLElement)
    .filter(
      (box) => getComputedStyle(box).overflowX === 'visible' && getComputedStyle(box).display !== 'inline',
    )
    .filter((box) => box.clientWidth > 0 && box.scrollWidth > box.clientWidth)
    .map((box) => `${box.tagName} ${box.className}: ${box.scrollWidth} in ${box.clientWidth}`)
}

/** Controls that a thumb would miss. */
export function smallControls(): string[] {
  return [
    ...document.querySelectorAll(
      'button, a, input:not(label input, [class*=thumb] input), [role=tab], label:has(input), [class*=thumb]:has(input)',
    ),
  ]
    .filter((control) => control.checkVisibility() && control.parentElement?.tagName !== 'P')
    .map((control) => ({ control, box: control.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 1 && (box.height < 44 || box.width < 44))
    .map(({ control, box }) => `${control.textContent}: ${box.width}×${box.height}`)
}
