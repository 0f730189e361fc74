import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Engines start inside tests; two cores carry two files at a time.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    include: ['{packages,areas,apps}/*/test/**/*.test.ts', '{checks,e2e,bench}/test/**/*.test.ts'],
    globalSetup: ['packages/testkit/src/global-setup.ts'],
  },
})
