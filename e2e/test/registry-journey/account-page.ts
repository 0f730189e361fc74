import type { PersonBrowser } from '../identity/journey/person-browser.ts'

/** Makes an API key for the packages of an owner, as a person does on the account page. */
export async function makeKey(person: PersonBrowser, url: string, name: string): Promise<string> {
  const { page } = person
  await page.goto(`${url}/account`)
  // What is above the button has come: a list that arrives late would move it away from under the pointer.
  await page.getByRole('list', { name: 'Your sessions' }).waitFor()
  await page.getByText('No passkey yet.').waitFor()
  await person.press('Create a key')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /^Name/ }).fill(name)
  await dialog.getByRole('button', { name: /Area$/ }).click()
  await page.getByRole('option', { name: /^Packages/ }).click()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const key = (await dialog.getByText(/^pbk_/).first().textContent()) ?? ''
  await dialog.getByRole('button', { name: 'Done' }).click()
  return key
}
