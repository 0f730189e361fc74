import { readdirSync } from 'node:fs'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

const inCi = process.env['CI'] !== undefined
const races = ['e2e/test/identity/two-nodes.test.ts']
/** They measure the memory of their process, or count what escapes in it. */
const aloneInTheirProcess = [
  'packages/kernel/test/objects/**/*.test.ts',
  'packages/kernel/test/websocket/memory.test.ts',
  'packages/kernel/test/**/*outage.test.ts',
]

/** The words of the test runner and of the testkit's `waitUntil`. */
const MISSED_DEADLINE = /timed out in \d+ms|waited \d+ ms in vain/

/**
 * Real engines on a machine that others use miss a deadline now and then: that alone gets one more chance, and CI names
 * whoever needed it. What a property or a race found never does.
 */
const onlyMissedDeadlines = inCi ? { retry: { count: 1, condition: MISSED_DEADLINE } } : {}

/**
 * A process runs the files of one project, and each project has new ones: what hundreds of files leave behind makes
 * starting a program slow, which copies the tables of all memory. With two gigabytes it takes 50 ms instead of 2.
 */
function project(name: string, test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration {
  return { extends: true, test: { name, ...test } }
}

function parts(name: string, ...include: readonly string[]): TestProjectInlineConfiguration {
  return project(`parts: ${name}`, {
    include: [...include],
    exclude: ['apps/web/**', ...aloneInTheirProcess],
    ...onlyMissedDeadlines,
  })
}

function wholeSystems(
  name: string,
  include: readonly string[],
  exclude: readonly string[] = [],
): TestProjectInlineConfiguration {
  return project(`whole systems: ${name}`, {
    include: [...include],
    exclude: [...races, ...exclude],
    // A browser beside half a dozen servers: here a missed beat shows in other ways than a deadline as well.
    retry: inCi ? 1 : 0,
  })
}

const signingIn = 'e2e/test/{client,gateway,identity,oauth}*/**/*.test.ts'
const workspaces = 'e2e/test/{panel,viewer,workspace}*/**/*.test.ts'

export default defineConfig({
  test: {
    // Engines start inside tests; two cores carry two files at a time.
    maxWorkers: 2,
    // One process for many files: importing the same modules anew for each took longer than most tests. Whatever a
    // test changes in its process (environment, folder, timers, umask) it therefore puts back.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // How long a condition is awaited is patience, not a bound: one second is over before a busy browser has drawn.
    expect: { poll: { timeout: 10_000 } },
    globalSetup: ['packages/testkit/src/global-setup.ts'],
    projects: [
      project('alone in their process', {
        include: aloneInTheirProcess,
        isolate: true,
        ...onlyMissedDeadlines,
      }),
      ...readdirSync(new URL('areas', import.meta.url)).map((area) =>
        parts(area, `areas/${area}/test/**/*.test.ts`),
      ),
      parts('packages', 'packages/*/test/**/*.test.ts', '{checks,bench}/test/**/*.test.ts'),
      parts('apps', '{apps,examples}/*/test/**/*.test.ts', ...races),
      wholeSystems('the app', ['apps/web/test/**/*.test.ts']),
      wholeSystems('signing in', [signingIn]),
      wholeSystems('workspaces', [workspaces]),
      wholeSystems('all others', ['e2e/test/**/*.test.ts'], [signingIn, workspaces]),
    ],
  },
})
