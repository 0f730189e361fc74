import { expect, test } from 'vitest'
import { type Journey, startJourney } from '../identity/journey/journey.ts'
import { signIn } from '../identity/signed-in.ts'
import { makeKey } from './account-page.ts'
import { type Computer, computerAt } from './computer.ts'
import { edit, FIRST_FILES, FOLDER, IDENTIFIER, installed, SECOND_FILES, writeFiles } from './night-lamp.ts'

const ROOT = 'Documents/tool/3rdparty'
const OTHERS = { 'plugins/com_example_other/mine.py': 'not of this package' }

test('[J-30][J-20] from an empty folder to a package that a stranger installs, updates, rolls back and removes', {
  timeout: 120_000,
}, async () => {
  await using journey = await startJourney()
  const { site, trail } = journey
  const person = await journey.browser()
  await person.signInAs(await signIn(site.databaseUrl, 'ada', site.url))
  const terminal = await journey.terminal()
  const author = computerAt(terminal)

  expect(await author.types(`patchbay package init ${FOLDER} --identifier ${IDENTIFIER}`)).toContain(
    `run "patchbay package validate ${FOLDER}"`,
  )
  await writeFiles(author, FIRST_FILES)
  await edit(author, '"version": "0.1.0"', '"version": "1.0.0"')
  await edit(author, '"status": "development"', '"status": "stabel"')
  const refused = await author.isRefused(`patchbay package validate ${FOLDER}`)
  expect(refused).toContain(`${FOLDER}/metadata.json:${await placeOf(author, '"stabel"')}: `)
  expect(refused).toContain('must be one of stable, ')
  await edit(author, '"stabel"', '"stable"')
  expect(await author.types(`patchbay package validate ${FOLDER}`)).toContain('is valid')
  const archive = `${IDENTIFIER}-1.0.0.zip`
  expect(await author.types(`patchbay package pack ${FOLDER}`)).toContain(archive)

  const login = await terminal.login()
  await person.open(login.link)
  await person.isAsked()
  await person.page.getByText(login.words, { exact: true }).waitFor()
  await person.press('Approve')
  expect((await login.ended).output).toContain('Signed in as ada')
  expect(await author.types(`patchbay package publish ${archive}`)).toContain(
    `Published ${IDENTIFIER} 1.0.0 for ada on ${site.url}.`,
  )

  const user = computerAt(await journey.terminal(), { PATCHBAY_SERVER_URL: '' })
  const at = (words: string) => `patchbay ${words} --root ${user.home}/${ROOT}`
  const icon = { 'resources/icon.png': await author.read(`${FOLDER}/resources/icon.png`) }
  for (const [path, content] of Object.entries(OTHERS)) await user.write(`${ROOT}/${path}`, content)
  const command = await findCommand(journey)
  await user.types(`${command} --root ${user.home}/${ROOT}`)
  expect(await user.files(ROOT)).toEqual({ ...OTHERS, ...installed({ ...FIRST_FILES, ...icon }) })

  await writeFiles(author, SECOND_FILES)
  await author.remove(`${FOLDER}/plugins/lamp/old.py`)
  await edit(author, '"version": "1.0.0"', '"version": "1.1.0"')
  await edit(author, '"license"', '"keep_on_update": ["settings\\\\.ini$"],\n  "license"')
  const key = await makeKey(person, site.url, 'Nightly build')
  trail.see(key)
  const script = computerAt(await journey.terminal(), { PATCHBAY_API_KEY: key })
  expect(await script.types(`patchbay package publish ${author.home}/${FOLDER}`)).toContain(
    `Published ${IDENTIFIER} 1.1.0 for ada`,
  )

  const settings = { 'plugins/settings.ini': 'brightness = 99 # mine\n' }
  await user.write(`${ROOT}/${Object.keys(installed(settings))[0] ?? ''}`, settings['plugins/settings.ini'])
  expect(await user.types(`${at('update')} --server ${site.url}`)).toContain(
    `${IDENTIFIER} went from 1.0.0 to 1.1.0.`,
  )
  expect(await user.files(ROOT)).toEqual({
    ...OTHERS,
    ...installed({ ...SECOND_FILES, ...icon, ...settings }),
  })
  expect(await user.types(at(`rollback ${IDENTIFIER}`))).toContain(`${IDENTIFIER} is back at 1.0.0`)
  expect(await user.files(ROOT)).toEqual({
    ...OTHERS,
    ...installed({ ...FIRST_FILES, ...icon, ...settings }),
  })
  expect(await user.types(at(`remove ${IDENTIFIER}`))).toContain(`Removed ${IDENTIFIER} 1.0.0.`)
  expect(await user.files(ROOT)).toEqual(OTHERS)
  await journey.expectNoTrace()
})

/** Line and column, as editors count them. */
async function placeOf(author: Computer, text: string): Promise<string> {
  const before = (await author.read(`${FOLDER}/metadata.json`)).split(text)[0] ?? ''
  const lines = before.split('\n')
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`
}

/** A stranger types a part of the name into the catalog and follows what is found. */
async function findCommand(journey: Journey): Promise<string> {
  const { page } = await journey.browser()
  await page.goto(`${journey.site.url}/packages`)
  await page.getByRole('searchbox', { name: 'Search' }).pressSequentially('nigh')
  await page.waitForURL(/[?]q=nigh$/)
  const found = page.getByRole('article')
  await found.getByText('1.0.0', { exact: true }).waitFor()
  expect(await found.count()).toBe(1)
  await found.getByRole('link', { name: 'Night lamp' }).click()
  await page.getByRole('heading', { level: 1, name: 'Night lamp' }).waitFor()
  await page.getByRole('link', { name: 'Download version 1.0.0' }).waitFor()
  return await page.getByText(/^patchbay install /).innerText()
}
