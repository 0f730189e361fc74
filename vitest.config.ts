import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { listTestFiles, type TestFile } from './checks/src/test-files.ts'

const inCi = process.env['CI'] !== undefined
const isDeep = process.env['PATCHBAY_DEEP'] === '1'

/**
 * What may go wrong on a machine that others use without anything being wrong here: it gets one more try in CI, and is
 * named there. Whatever else fails has failed.
 */
const CAUSES_FOR_A_SECOND_TRY = [
  // The words of the test runner, of the testkit's `waitUntil` and of the browser's driver when patience is over.
  /timed out in \d+ms/,
  /waited \d+ ms in vain/,
  /Timeout \d+ms exceeded/,
  // A browser whose process was ended, for want of memory above all.
  /Target crashed|[Bb]rowser has been closed/,
]
const secondTry = inCi
  ? { count: 1, condition: new RegExp(CAUSES_FOR_A_SECOND_TRY.map(({ source }) => source).join('|')) }
  : 0

interface Project {
  readonly name: string
  readonly holds: (file: TestFile) => boolean
  readonly options?: TestProjectInlineConfiguration['test']
}

const under =
  (...folders: readonly string[]) =>
  ({ path }: TestFile) =>
    folders.some((folder) => path.startsWith(`${folder}/`))

const area = (name: string): Project => ({ name, holds: under(`areas/${name}`) })

const journeys = (name: string, folders = ''): Project => ({
  name: `journeys: ${name}`,
  holds: ({ path }) => new RegExp(`^e2e/test/(?:${folders})`).test(path),
})

/**
 * A test file belongs to the first of these that holds it. A process runs the files of one project, and each project has
 * new ones: what hundreds of files leave behind makes starting a program slow, which copies the tables of all memory.
 */
const PROJECTS: readonly Project[] = [
  {
    // They measure the memory of their process, or count what escapes in it.
    name: 'alone in their process',
    holds: ({ path }) =>
      /^packages\/kernel\/test\/(?:objects\/|websocket\/memory|.*outage(?:\.deep)?\.test\.ts)/.test(path),
    options: { isolate: true },
  },
  {
    // What a race finds is never tried again.
    name: 'races',
    holds: ({ path }) => /^e2e\/test\/(?:identity\/two-nodes|files\/killed)\./.test(path),
    options: { retry: 0 },
  },
  {
    // Containers add networks to the machine, and every browser then breaks off what it is loading. After all others.
    name: 'containers',
    holds: ({ path }) => path.startsWith('e2e/test/deploy/containers.'),
    options: { sequence: { groupOrder: 1 } },
  },
  { name: 'unit', holds: ({ isUnit }) => isUnit },
  ...['gateway', 'watchdog', 'identity', 'panels', 'content', 'devices', 'boards', 'registry', 'viewer'].map(
    area,
  ),
  { name: 'packages', holds: under('packages', 'checks', 'bench', 'release') },
  { name: 'web', holds: under('apps/web') },
  { name: 'apps', holds: under('apps', 'examples') },
  journeys('sign-in', 'client/|gateway|identity|oauth'),
  journeys('workspaces', 'panel|viewer|workspace'),
  journeys('others'),
]

function divide(): TestProjectInlineConfiguration[] {
  const files = listTestFiles(fileURLToPath(new URL('.', import.meta.url))).filter(
    ({ isDeep: isForDeepAlone, hasDeepForm }) => (isDeep ? hasDeepForm : !isForDeepAlone),
  )
  const projectOf = (file: TestFile) => PROJECTS.find(({ holds }) => holds(file))
  const homeless = files.find((file) => projectOf(file) === undefined)
  // A file that no project holds would never run, and nobody would see it.
  if (homeless !== undefined) throw new Error(`no project holds ${homeless.path}`)
  return PROJECTS.flatMap((project) => {
    const include = files.filter((file) => projectOf(file) === project).map(({ path }) => path)
    return include.length === 0
      ? []
      : [{ extends: true, test: { name: project.name, include, ...project.options } }]
  })
}

export default defineConfig({
  test: {
    // Engines start inside tests: a core carries one file at a time.
    maxWorkers: inCi ? 2 : availableParallelism(),
    // One process for many files: importing the same modules anew for each took longer than most tests. Whatever a
    // test changes in its process (environment, folder, timers, umask) it therefore puts back.
    isolate: false,
    // Full counts take their time, on a busy machine too.
    testTimeout: isDeep ? 300_000 : 60_000,
    hookTimeout: 240_000,
    retry: secondTry,
    // A group may hold nothing but tests of the other run. That a run had any is seen by its summary.
    passWithNoTests: true,
    // How long a condition is awaited is patience, not a bound: one second is over before a busy browser has drawn.
    expect: { poll: { timeout: 10_000 } },
    globalSetup: ['packages/testkit/src/global-setup.ts'],
    projects: divide(),
  },
})
