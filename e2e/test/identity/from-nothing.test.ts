import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { journeyAt } from './journey/journey.ts'
import { startOneNode } from './journey/one-node.ts'
import { refusal } from './journey/person-browser.ts'
import { emptyDatabase } from './journey/site.ts'

test('[J-10][J-20] from an empty database to a command that is signed in, and out again', {
  timeout: 120_000,
}, async () => {
  await using database = await emptyDatabase()
  await using site = await startOneNode({}, database)
  await using journey = await journeyAt(site)
  const terminal = await journey.terminal()
  const administrator = await journey.browser()
  const { page } = administrator

  const printed = await terminal.run(['admin', 'link'], {
    DATABASE_URL: site.databaseUrl,
    PATCHBAY_PUBLIC_URL: site.url,
  })
  const invitation = /^http\S+$/m.exec(printed.output)?.[0] ?? printed.output
  await administrator.open(invitation)
  await administrator.sees('Welcome to Patchbay')
  await page.getByText('makes you an administrator').waitFor()
  await page.getByRole('textbox', { name: /^Handle/ }).fill('ada')
  await page.getByRole('textbox', { name: /^Name/ }).fill('Ada Lovelace')
  await administrator.press('Sign up with a passkey')
  await administrator.sees('Account')
  await page.getByRole('main').getByText('Administrator', { exact: true }).waitFor()

  const login = await terminal.login()
  expect(await login.openedLink()).toBe(login.link)
  await administrator.open(login.link)
  await administrator.isAsked()
  await page.getByText(login.words, { exact: true }).waitFor()
  await administrator.press('Approve')
  await administrator.sees('Done')
  const signedIn = await login.ended
  expect(signedIn.exitCode).toBe(0)
  expect(signedIn.output).toContain(`Signed in as ada on ${site.url}`)
  const whoami = await terminal.run(['whoami'])
  expect(whoami.output).toContain('You are ada (Ada Lovelace), an administrator')
  expect(whoami.exitCode).toBe(0)

  const label = `patchbay CLI on ${hostname()}`
  await page.goto(`${site.url}/account`)
  const sessions = page.getByRole('list', { name: 'Your sessions' })
  await sessions.getByText(label, { exact: true }).waitFor()
  await administrator.press(`End the session of ${label}`)
  await page.getByRole('alertdialog').getByRole('button', { name: 'End the session' }).click()
  await sessions.getByText(label, { exact: true }).waitFor({ state: 'detached' })
  const ended = await terminal.run(['whoami'])
  expect(ended.output).toContain(`Your session on ${site.url} has ended.`)
  expect(ended.exitCode).toBe(1)

  const late = await journey.browser()
  late.expectFault(refusal(410))
  await late.open(invitation)
  await late.sees('This invitation cannot be used')
  await journey.expectNoTrace()
})
