import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startJourney } from './journey/journey.ts'
import { signIn } from './signed-in.ts'

const run = promisify(execFile)

/** As a script would. The header comes from a file, as it should: arguments are for everybody on the machine to read. */
async function whoami(url: string, key: string): Promise<{ status: string; body: string }> {
  const curl = run('curl', [
    '-sS',
    '--max-time',
    '20',
    '-w',
    '\n%{http_code}',
    '-H',
    '@-',
    `${url}/auth/whoami`,
  ])
  curl.child.stdin?.end(`X-Api-Key: ${key}\n`)
  const { stdout } = await curl
  const at = stdout.lastIndexOf('\n')
  return { status: stdout.slice(at + 1), body: stdout.slice(0, at) }
}

test('[J-19][J-20] an API key is made on the account page, shown once, used by a script, and revoked', {
  timeout: 120_000,
}, async () => {
  await using journey = await startJourney()
  const { site, trail } = journey
  const person = await journey.browser()
  const { page } = person
  await person.signInAs(await signIn(site.databaseUrl, 'ada', site.url))
  await page.goto(`${site.url}/account`)
  // What is above the button has come: a list that arrives late would move it away from under the pointer.
  await page.getByRole('list', { name: 'Your sessions' }).waitFor()
  await page.getByText('No passkey yet.').waitFor()
  await person.press('Create a key')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Nightly build')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const key = (await dialog.getByText(/^pbk_/).first().textContent()) ?? ''
  trail.see(key)
  await dialog.getByRole('button', { name: 'Done' }).click()
  const keys = page.getByRole('list', { name: 'Your API keys' })
  await keys.getByText('Nightly build', { exact: true }).waitFor()
  expect(await whoami(site.url, key)).toMatchObject({
    status: '200',
    body: expect.stringContaining('"handle":"ada"'),
  })

  await page.reload()
  await keys.getByText('Nightly build', { exact: true }).waitFor()
  expect(await page.content()).not.toContain(key)
  await person.press('Revoke the key Nightly build')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke the key' }).click()
  await keys.waitFor({ state: 'detached' })
  expect((await whoami(site.url, key)).status).toBe('401')
  await journey.expectNoTrace()
})
