import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { login } from '@patchbay/client'
import { SettableClock } from '@patchbay/testkit/clock'
import { expect, test } from 'vitest'
import { preparedDatabase } from '../installation/database.ts'
import { journeyAt, startJourney } from './journey/journey.ts'
import { startSiteHere } from './journey/one-node.ts'
import { QUESTION, refusal } from './journey/person-browser.ts'
import { signIn } from './signed-in.ts'

test('[J-13][J-20] somebody declines: the command says so and keeps nothing, and the link stays declined', {
  timeout: 120_000,
}, async () => {
  await using journey = await startJourney()
  const { site } = journey
  const person = await journey.browser()
  await person.signInAs(await signIn(site.databaseUrl, 'ada', site.url))
  const terminal = await journey.terminal()
  const waiting = await terminal.login('--no-browser')
  await person.open(waiting.link)
  await person.isAsked()
  await person.press('Decline')
  await person.sees('Declined')
  await person.page.getByText('The application was told and got no access.').waitFor()
  const ended = await waiting.ended
  expect(ended.output).toContain('The login was declined in the browser.')
  expect(ended.exitCode).toBe(1)
  await expect(access(join(terminal.home, '.config/patchbay/credentials.json'))).rejects.toThrow('ENOENT')
  expect((await terminal.run(['whoami'])).output).toContain('You are not signed in')

  person.expectFault(refusal(410))
  await person.open(waiting.link)
  await person.sees('This request was declined')
  await journey.expectNoTrace()
})

test('[J-14][J-20] a link that nobody used for 15 minutes: the page says what to do, and the application is told', {
  timeout: 120_000,
}, async () => {
  const clock = new SettableClock(new Date())
  await using database = await preparedDatabase()
  await using site = await startSiteHere({}, database, clock)
  await using journey = await journeyAt(site)
  const person = await journey.browser()
  await person.signInAs(await signIn(site.databaseUrl, 'ada', site.url))
  const prompt = Promise.withResolvers<string>()
  const outcome = login({
    baseUrl: site.url,
    label: 'bench',
    onPrompt: ({ authUrl }) => prompt.resolve(authUrl),
  }).catch((error: unknown) => error)
  const link = await prompt.promise
  await person.open(link)
  await person.isAsked()

  clock.advance(901_000)
  person.expectFault(refusal(410))
  await person.press('Approve')
  await person.sees('This link has expired')
  await person.page.getByText('Start the sign-in again in the application.').waitFor()
  expect(await outcome).toMatchObject({ name: 'LoginError', code: 'expired' })
  const other = await journey.browser()
  await other.signInAs(await signIn(site.databaseUrl, 'grace', site.url))
  other.expectFault(refusal(410))
  await other.open(link)
  await other.sees('This link has expired')
  await journey.expectNoTrace()
})

test('[J-15][J-20] a link that was used says so, and leads to the sessions', {
  timeout: 120_000,
}, async () => {
  await using journey = await startJourney()
  const { site } = journey
  const person = await journey.browser()
  await person.signInAs(await signIn(site.databaseUrl, 'ada', site.url))
  const terminal = await journey.terminal()
  const waiting = await terminal.login('--no-browser', '--label', 'lab bench')
  await person.open(waiting.link)
  await person.press('Approve')
  await person.sees('Done')
  expect((await waiting.ended).exitCode).toBe(0)

  person.expectFault(refusal(409))
  await person.open(waiting.link)
  await person.sees('This link has already been used')
  await person.page.getByRole('link', { name: 'Review your sessions' }).click()
  await person.sees('Account')
  await person.page.getByRole('list', { name: 'Your sessions' }).getByText('lab bench').waitFor()
  expect((await terminal.run(['whoami'])).exitCode).toBe(0)
  await journey.expectNoTrace()
})

test('[J-21][J-20] of two people who approve at once, one is done and the other reads that the link was used', {
  timeout: 120_000,
}, async () => {
  await using journey = await startJourney()
  const { site } = journey
  const terminal = await journey.terminal()
  const waiting = await terminal.login('--no-browser')
  const racers = await Promise.all(
    ['ada', 'grace'].map(async (handle) => {
      const browser = await journey.browser()
      await browser.signInAs(await signIn(site.databaseUrl, handle, site.url))
      await browser.open(waiting.link)
      await browser.isAsked()
      return { handle, browser }
    }),
  )
  await Promise.all(racers.map(({ browser }) => browser.press('Approve')))
  const outcomes = await Promise.all(
    racers.map(async ({ handle, browser }) => {
      const heading = browser.page.getByRole('heading', { level: 1 }).filter({ hasNotText: QUESTION })
      return { handle, browser, heading: await heading.textContent() }
    }),
  )
  expect(new Set(outcomes.map(({ heading }) => heading))).toEqual(
    new Set(['Done', 'This link has already been used']),
  )
  for (const { browser, heading } of outcomes) if (heading !== 'Done') browser.expectFault(refusal(409))
  const winner = outcomes.find(({ heading }) => heading === 'Done')
  expect((await waiting.ended).output).toContain(`Signed in as ${winner?.handle}`)
  await journey.expectNoTrace()
})
