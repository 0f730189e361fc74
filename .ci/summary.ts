import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { citedRules, listRules } from '../checks/src/rules.ts'

interface Results {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly startTime: number
    readonly endTime: number
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

const LARGEST = 40
const isDeep = process.env['PATCHBAY_DEEP'] === '1'
const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Says what a run did: where its time went, what it left out, whether every rule was tested, and how it ended. */
function summarize({ numPassedTests, numFailedTests, numPendingTests, testResults }: Results): boolean {
  const tests = testResults.flatMap((file) => file.assertionResults)
  const slowest = testResults
    .map(({ name, startTime, endTime }) => ({ name: name.replace(ROOT, ''), ms: endTime - startTime }))
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, LARGEST)
  for (const { name, ms } of slowest) print(`${(ms / 1_000).toFixed(1).padStart(7)} s  ${name}`)
  // Named, so that nobody takes a test that did not run for one that passed.
  for (const { status, fullName } of tests)
    if (status !== 'passed' && status !== 'failed') print(`SKIPPED: ${fullName}`)
  const tested = new Set(tests.flatMap(({ fullName }) => citedRules(fullName)))
  // The deep run leaves to the common one what both would test in the same way.
  const untested = isDeep ? [] : listRules(ROOT).filter((rule) => !tested.has(rule))
  for (const rule of untested) print(`NO TEST IN THIS RUN: ${rule}`)
  // What a file does before and after its tests is part of no test, and fails the run as well.
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  )
  for (const { name, message } of broken)
    print(
      `FAILED OUTSIDE OF ITS TESTS: ${name.replace(ROOT, '')}\n  ${message.split('\n').slice(0, 3).join('\n  ')}`,
    )
  print(`${numPassedTests} passed, ${numFailedTests + broken.length} failed, ${numPendingTests} skipped`)
  return tests.length > 0 && untested.length === 0
}

const print = (line: string) => void process.stdout.write(`${line}\n`)

const results = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Results
process.exitCode = summarize(results) ? 0 : 1
