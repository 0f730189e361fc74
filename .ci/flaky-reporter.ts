import type { Reporter, TestCase } from 'vitest/node'

/** Names each test that passed only when it was tried again, with what went wrong before: nobody shall take it for sound. */
class FlakyReporter implements Reporter {
  readonly #flaky: string[] = []

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) return
    const causes = (test.result().errors ?? []).map(
      ({ stack, message }) => `  ${ourLines(stack ?? message)}\n`,
    )
    this.#flaky.push(`FLAKY: ${test.module.relativeModuleId}: ${test.name}\n${causes.join('')}`)
  }

  onTestRunEnd(): void {
    for (const lines of this.#flaky) process.stdout.write(lines)
  }
}

const ourLines = (stack: string) => stack.replaceAll(/\n[^\n]*node_modules[^\n]*/g, '')

// The test runner loads a reporter by its default export.
// oxlint-disable-next-line import/no-default-export
export default FlakyReporter
