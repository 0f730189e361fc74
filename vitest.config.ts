import { defineConfig } from 'vitest/config'

const wholeSystems = ['e2e/test/**/*.test.ts', 'apps/web/test/**/*.test.ts']
const inCi = process.env['CI'] !== undefined
const races = ['e2e/test/identity/two-nodes.test.ts']

/** The words of the test runner and of the testkit's `waitUntil`. */
const MISSED_DEADLINE = /timed out in \d+ms|waited \d+ ms in vain/

export default defineConfig({
  test: {
    // Engines start inside tests; two cores carry two files at a time.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    globalSetup: ['packages/testkit/src/global-setup.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: [
            '{packages,areas,apps,examples}/*/test/**/*.test.ts',
            '{checks,bench}/test/**/*.test.ts',
            ...races,
          ],
          exclude: ['apps/web/**'],
          // Real engines on a machine that others use miss a deadline now and then: that alone gets one more
          // chance, and CI names whoever needed it. What a property or a race found never does.
          ...(inCi && { retry: { count: 1, condition: MISSED_DEADLINE } }),
        },
      },
      {
        extends: true,
        test: {
          name: 'whole systems',
          include: wholeSystems,
          exclude: races,
          // A browser beside half a dozen servers: here a missed beat shows in other ways than a deadline as well.
          retry: inCi ? 1 : 0,
        },
      },
    ],
  },
})
