import type { Page } from '@patchbay/testkit/chromium'

/** At the issuer: chooses the account and agrees. */
export async function acceptAtIssuer(page: Page, name: string): Promise<void> {
  await page
    .getByRole('button', { name: new RegExp(name, 'i') })
    .first()
    .click()
  await page.getByRole('button', { name: 'Allow' }).click()
}

export async function cancelAtIssuer(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Cancel' }).click()
}
