import type { Reporter, TestCase } from 'vitest/node'

/** Names each test that passed only when it was tried again, so that nobody takes it for a sound one. */
class FlakyReporter implements Reporter {
  readonly #flaky: string[] = []

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky === true) this.#flaky.push(`${test.module.relativeModuleId}: ${test.name}`)
  }

  onTestRunEnd(): void {
    for (const name of this.#flaky) process.stdout.write(`FLAKY: ${name}\n`)
  }
}

// The test runner loads a reporter by its default export.
// oxlint-disable-next-line import/no-default-export
export default FlakyReporter
