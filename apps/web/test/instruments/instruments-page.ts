import type { Locator, Page } from '@patchbay/testkit/chromium'

export const GALLERY = '/components/instruments'
/** Software draws in place of a graphics card, and the browser says so now and then. */
export const SLOW_DRAWING = /GPU stall due to ReadPixels/
const STATES = { live: 'Live', stale: 'Stale', offline: 'Offline', none: 'No value yet' }

/** An instrument of the gallery by its label. */
export function instrument(page: Page, label: string): Locator {
  return page.getByRole('group', { name: label, exact: true }).and(page.locator('[data-state]'))
}

/** Gives all readings of the gallery this state. */
export async function chooseState(page: Page, state: keyof typeof STATES): Promise<void> {
  await page.getByRole('button', { name: /State of all readings$/ }).click()
  await page.getByRole('option', { name: STATES[state], exact: true }).click()
  await page.getByRole('listbox').waitFor({ state: 'detached' })
}

/** What the controls of the gallery have sent, oldest first. */
export async function sent(page: Page, name: string): Promise<string[]> {
  const all = await page.getByLabel('Sent', { exact: true }).innerText()
  return all
    .split(/, (?=[a-z])/)
    .filter((one) => one.startsWith(`${name} `))
    .map((one) => one.slice(name.length + 1))
}
