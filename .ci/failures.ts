import { readFileSync } from 'node:fs'

interface Results {
  readonly numTotalTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

/** What failed in any of several runs, with how often it did and what it said first. */
function listFailures(runs: readonly Results[]): Map<string, { count: number; readonly cause: string }> {
  const failures = new Map<string, { count: number; readonly cause: string }>()
  const note = (name: string, cause: string) => {
    const known = failures.get(name) ?? { count: 0, cause }
    known.count += 1
    failures.set(name, known)
  }
  for (const { numTotalTests, testResults } of runs) {
    if (numTotalTests === 0) note('a run', 'no test ran')
    for (const { name, message, assertionResults } of testResults) {
      if (message !== '') note(name, message)
      for (const { status, fullName, failureMessages } of assertionResults)
        if (status === 'failed') note(`${name}: ${fullName}`, failureMessages[0] ?? '')
    }
  }
  return failures
}

const runs = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, 'utf8')) as Results)
const failures = listFailures(runs)
for (const [name, { count, cause }] of failures)
  process.stdout.write(
    `FAILED ${count} of ${runs.length}: ${name}\n  ${cause.split('\n').slice(0, 6).join('\n  ')}\n`,
  )
process.stdout.write(`${runs.length} runs, ${failures.size} tests that failed in any of them\n`)
process.exitCode = failures.size === 0 && runs.length > 0 ? 0 : 1
