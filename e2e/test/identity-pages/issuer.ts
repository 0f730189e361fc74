import type { Page } from '@patchbay/testkit/chromium'
import type { Site } from './site.ts'

/** Its people are new to the installation again: another test, or another try of this one, may have made their accounts. */
export async function forgetPeopleOfIssuer({ db }: Site): Promise<void> {
  await db.deleteFrom('external_identities').execute()
}

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
