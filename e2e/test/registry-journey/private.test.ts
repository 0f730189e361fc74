import { expect, test } from 'vitest'
import { type Journey, startJourney } from '../identity/journey/journey.ts'
import { refusal } from '../identity/journey/person-browser.ts'
import { signIn } from '../identity/signed-in.ts'
import { makeKey } from './account-page.ts'
import { ask } from './ask.ts'
import { computerAt } from './computer.ts'
import { FIRST_FILES, FOLDER, IDENTIFIER, installed, writeFiles } from './night-lamp.ts'
import { privateAddresses, publicForm } from './private-addresses.ts'

test('[J-32][J-20] a private package is for whoever has a key of its owner, and nowhere for anybody else', {
  timeout: 120_000,
}, async () => {
  await using journey = await startJourney()
  const { site } = journey
  const key = await keyOf(journey, 'ada')
  const author = computerAt(await journey.terminal(), { PATCHBAY_API_KEY: key })
  await author.types(`patchbay package init ${FOLDER} --identifier ${IDENTIFIER}`)
  await writeFiles(author, FIRST_FILES)
  await author.types(`patchbay package publish ${FOLDER} --private`)

  const terminal = await journey.terminal()
  const member = computerAt(terminal, { TEAM_KEY: key })
  const feed = `${site.url}/registry/feeds/tool/ada/private/repository.json`
  await member.types(`patchbay source add ${feed} --name team --api-key-variable TEAM_KEY`)
  expect(await member.types('patchbay search lamp')).toContain(IDENTIFIER)
  await member.types(`patchbay install ${IDENTIFIER} --root ${member.home}/3rdparty`)
  const icon = { 'resources/icon.png': await author.read(`${FOLDER}/resources/icon.png`) }
  expect(await member.files('3rdparty')).toEqual(installed({ ...FIRST_FILES, ...icon }))

  // The server itself as a source, with the key that it names.
  await member.types('patchbay source remove team')
  await member.types(`patchbay source add ${site.url} --name home --api-key-variable TEAM_KEY`)
  expect(await member.types(`patchbay install ${IDENTIFIER} --root ${member.home}/second`)).toContain(
    'Installed',
  )
  await member.types('patchbay source remove home')
  await member.types(`patchbay source add ${feed} --name team --api-key-variable TEAM_KEY`)

  // By now its list lies in a cache of this machine, where another key has no right to it.
  const otherKey = await keyOf(journey, 'eve')
  const other = computerAt(terminal, { TEAM_KEY: otherKey })
  expect(await other.isRefused('patchbay search lamp')).not.toContain(IDENTIFIER)
  await other.isRefused(`patchbay install ${IDENTIFIER} --root ${member.home}/others`)
  expect(Object.keys(await other.files('.')).filter((path) => path.startsWith('others/plugins'))).toEqual([])
  expect(await other.types(`patchbay search lamp --server ${site.url}`)).toContain('Nothing was found')

  const addresses = await privateAddresses(site.url, key)
  expect(addresses.length).toBeGreaterThan(8)
  expect(await statusesOf(addresses, key)).toEqual([200])
  const guesses = ['tool', 'kicad'].map((brand) => `${site.url}/registry/sparse/${brand}/${IDENTIFIER}.json`)
  for (const as of [undefined, otherKey]) {
    expect(await statusesOf([...addresses, ...addresses.map(publicForm), ...guesses], as)).toEqual([404])
    for (const path of ['search?q=lamp', 'feeds/tool/repository.json', 'feeds/tool/ada/repository.json'])
      expect((await ask(`${site.url}/registry/${path}`, as)).text).not.toContain(IDENTIFIER)
  }
  await expectNothingToSee(journey)
  await journey.expectNoTrace()
})

/** Each status once. */
async function statusesOf(urls: readonly string[], key?: string): Promise<number[]> {
  const answers = await Promise.all(urls.map((url) => ask(url, key)))
  return [...new Set(answers.map(({ status }) => status))]
}

async function keyOf(journey: Journey, handle: string): Promise<string> {
  const { site, trail } = journey
  const person = await journey.browser()
  await person.signInAs(await signIn(site.databaseUrl, handle, site.url))
  const key = await makeKey(person, site.url, 'For the team')
  trail.see(key)
  return key
}

async function expectNothingToSee(journey: Journey): Promise<void> {
  const { url } = journey.site
  const stranger = await journey.browser()
  const { page } = stranger
  await page.goto(`${url}/packages`)
  await page.getByRole('searchbox', { name: 'Search' }).pressSequentially('lamp')
  await page.waitForURL(/[?]q=lamp$/)
  await page.getByText('No packages found').waitFor()
  stranger.expectFault(refusal(404))
  await page.goto(`${url}/packages/${IDENTIFIER}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await page.getByRole('main').innerText()).not.toContain('Night lamp')
}
