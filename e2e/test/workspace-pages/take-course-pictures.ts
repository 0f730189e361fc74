// The pictures of courses and scripts, taken anew: `node e2e/test/workspace-pages/take-course-pictures.ts`.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPage, type Page, screenshot, startChromium } from '@patchbay/testkit/chromium'
import { startPostgres } from '@patchbay/testkit/postgres'
import { signIn } from '../identity-pages/people.ts'
import { startSite } from '../identity-pages/site.ts'
import { makeAccount } from '../installation/accounts.ts'
import { makeWorkspace, panelNamed, type Workspace } from './workspace.ts'

const FOLDER = process.argv[2] ?? fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))
const SAMPLE = new URL('../../../apps/web/src/workspace/panels/curriculum/sample-course/', import.meta.url)
const COURSE = 'courses/from-blink-to-plot'
const DESK = { width: 1280, height: 800 }
const LOOKS = [
  { look: 'light', options: { viewport: DESK, colorScheme: 'light' } },
  { look: 'dark', options: { viewport: DESK, colorScheme: 'dark' } },
  { look: 'phone', options: { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true } },
] as const

const course = (page: Page) => panelNamed(page, 'Curriculum')
const runner = (page: Page) => panelNamed(page, 'Script runner')

async function goTo(page: Page, lesson: string): Promise<void> {
  await course(page)
    .getByRole('button', { name: /Lesson/ })
    .click()
  await page.getByRole('option', { name: lesson }).click()
  await course(page).getByRole('heading', { name: lesson }).waitFor()
}

async function runStep(page: Page, name: string): Promise<void> {
  const step = course(page).getByRole('group', { name })
  await step.locator('button:not([disabled])').first().click()
  await step.getByRole('img', { name: 'Done' }).waitFor()
  await step.getByText(/^Done in/).waitFor()
}

async function runFile(page: Page, end: RegExp): Promise<void> {
  await runner(page).locator('.cm-line span').first().waitFor()
  await runner(page).locator('button:not([disabled])', { hasText: 'Run' }).first().click()
  await runner(page).getByText(end).waitFor()
}

type Scene = (page: Page) => Promise<void>

const COURSE_SCENES: Record<string, Scene> = {
  lesson: async (page) => {
    await goTo(page, 'Blink')
    await runStep(page, 'Run it and read what the pin does')
  },
  done: async (page) => {
    await goTo(page, 'Calm the noise')
    await runStep(page, 'The smooth curve stays below 36 degrees')
    const finish = course(page).getByRole('button', { name: 'Finish and go on' })
    if (await finish.isVisible()) await finish.click()
    await goTo(page, 'Calm the noise')
    await course(page).getByText('Lesson done').scrollIntoViewIfNeeded()
  },
}

await using browser = await startChromium()
await using postgres = await startPostgres()
await using site = await startSite({ databaseUrl: await postgres.createDatabase('pictures') })
const ada = await makeAccount(site, 'ada', { name: 'Ada Lovelace' })

async function fill(repo: string): Promise<Workspace> {
  const workspace = await makeWorkspace({ site }, ada, 'ada', repo)
  for (const name of await readdir(SAMPLE))
    await workspace.write(`${COURSE}/${name}`, await readFile(new URL(name, SAMPLE), 'utf8'))
  return workspace
}

async function take(name: string, workspace: Workspace, scene: Scene): Promise<void> {
  for (const { look, options } of LOOKS) {
    const { page } = await openPage(browser, { ...options, reducedMotion: 'reduce', timezoneId: 'UTC' })
    await signIn(site, page, ada)
    await page.goto(site.url + workspace.path)
    await scene(page)
    await screenshot(page, join(FOLDER, `${name}-${look}.png`))
    await page.context().close()
  }
}

const lab = await fill('lab')
await lab.add('curriculum', { initialState: { folder: COURSE } })
for (const [name, scene] of Object.entries(COURSE_SCENES)) await take(`course-${name}`, lab, scene)

const plots = await fill('plots')
await plots.add('script-runner', { initialState: { path: `${COURSE}/plot.py` } })
await take('script-python', plots, (page) => runFile(page, /^Done in/))
await plots.write(
  `${COURSE}/plot.py`,
  'from sensor import readings\n\nvalues = readings()\nprint(len(values))\nprint(valeus[0])\n',
)
await take('script-error', plots, (page) => runFile(page, /^Failed after/))

const empty = await makeWorkspace({ site }, ada, 'ada', 'empty')
await empty.add('curriculum')
await take('course-empty', empty, (page) => course(page).getByText('No course yet').waitFor())
